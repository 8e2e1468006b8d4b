import {
  AmmError,
  LAUNCH_FEE,
  launchPool,
  marketCap,
  priceText,
  SOL_DECIMALS,
  SUPPLY,
  solText,
  spotPrice,
  tokensText,
} from '@papermoon/amm'
import { formatSol, formatTokens, formatUsdHint } from '@papermoon/format'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { AmountField } from '../../components/form/amount-field.tsx'
import { Button } from '../../components/form/button.tsx'
import { SealChoice } from '../../components/form/seal-choice.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { TokenTicket } from '../../components/tokens/token-ticket.tsx'
import { trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useFairInHeader } from '../../lib/fairs/use-fair-in-header.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import type { OnAmount } from '../../lib/hooks/use-typed-amount.ts'
import { SEAL_TERMS } from '../../lib/market/own-seal.ts'
import { forgetIntent, readIntent } from '../../lib/market/stored-intent.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import {
  type Draft,
  type DraftProblems,
  draftProblems,
  exceedsBalance,
  firstProblem,
  initialQuote,
  readDraft,
  storeDraft,
} from './draft.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import { LaunchFields } from './launch-fields.tsx'
import classes from './launch-screen.module.css'
import { useLaunch } from './use-launch.ts'

/** The screen for launching a token. Each fair has its own draft. */
export function LaunchScreen() {
  const { fair: fairId } = useSearch({ from: '/launch' })
  return <LaunchForm key={fairId} fairId={fairId} />
}

function LaunchForm({ fairId }: { fairId: number | undefined }) {
  const [draft, setDraft] = useState(() => readDraft(fairId))
  const [isUnreadable, setUnreadable] = useState(false)
  const [problems, setProblems] = useState<DraftProblems>({})
  const { launch, busy } = useLaunch(fairId)
  const user = useCurrentUser()
  const fair = trpc.fairs.get.useQuery({ id: fairId ?? 0 }, { enabled: fairId !== undefined }).data
  const balance = fairId === undefined ? (user?.solBalance ?? null) : (fair?.me?.balance ?? null)
  useFairInHeader(fair)
  const isShort = balance !== null && exceedsBalance(draft.initialBuyAmount, balance)
  useTitle('Launch Token')
  useEffect(() => storeDraft(draft, fairId), [draft, fairId])
  // The form shows the draft again, so the home page must no longer offer it.
  useEffect(() => {
    if (user !== null && readIntent()?.kind === 'launch') forgetIntent()
  }, [user])
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    // Clear the message of the field that the player edits.
    setProblems((before) => ({
      ...before,
      ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])),
    }))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A guest must log in first. The draft stays stored during the login.
    if (user === null) return launch(draft)
    const found = draftProblems(draft)
    const wrong = firstProblem(found)
    setProblems(found)
    if (wrong === null) return launch(draft)
    if (wrong === 'name' || wrong === 'symbol') showMissing()
    const field = event.currentTarget.querySelector<HTMLInputElement>(`input[name=${wrong}]`)
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }
  return (
    <div className={`top grid gap-xl mx-auto ${classes.page}`}>
      <div className="all-cols">
        <PageHead
          title="Launch a token"
          lead={
            <>
              Choose a name, a ticker and an emoji. You cannot change them later. The pool opens as soon as you press
              the button.
              {fair !== undefined && ` The token belongs to ${fair.name} and closes when the fair ends.`}
            </>
          }
        />
      </div>
      <form className="card card-big stack gap-l" onSubmit={submit} noValidate>
        <Themed>
          <EmojiPicker value={draft.emoji} onPick={(emoji) => change({ emoji })} />
          <LaunchFields draft={draft} problems={problems} onChange={change} />
          <InitialBuy
            value={draft.initialBuyAmount}
            balance={balance}
            onAmount={(initialBuyAmount, isRefused) => {
              setUnreadable(isRefused)
              change({ initialBuyAmount })
            }}
          />
        </Themed>
        {fairId === undefined && <PaperPromise draft={draft} onChange={change} />}
        <Button type="submit" wide tall disabled={busy || isShort || isUnreadable}>
          {busy ? 'Launching...' : isShort ? 'You do not have that much SOL' : 'Launch Token'}
        </Button>
      </form>
      <div className={`stack gap-xl fit sticky ${classes.side}`}>
        <LaunchPreview draft={draft} />
        <Perks />
      </div>
    </div>
  )
}

function showMissing(): void {
  showToast({ title: 'Missing Information', message: 'Please provide token name and symbol', kind: 'destructive' })
}

interface InitialBuyProps {
  readonly value: string
  /** The balance that pays for the launch, or null for guests and while the balance is unknown. */
  readonly balance: string | null
  readonly onAmount: OnAmount
}

/** A field for an optional first buy. The buy is part of the launch, so nobody can buy earlier. */
function InitialBuy({ value, balance, onAmount }: InitialBuyProps) {
  const isShort = balance !== null && exceedsBalance(value, balance)
  return (
    <AmountField
      label="Initial Buy (optional, SOL)"
      placeholder="0"
      decimals={SOL_DECIMALS}
      step="0.1"
      error={isShort}
      value={value}
      onAmount={onAmount}
      description={`${whatItBuys(value)}${balance === null ? '' : ` You have ${formatSol(balance, 2)} SOL.`}`}
    />
  )
}

function whatItBuys(value: string): string {
  const fee = solText(LAUNCH_FEE)
  const quote = initialQuote(value)
  if (quote === null) return `The launch costs ${fee} SOL.`
  if (quote instanceof AmmError) return quote.message
  const total = solText(quote.solIn.add(LAUNCH_FEE))
  return `You buy ${formatTokens(tokensText(quote.tokensOut))} tokens. Total cost with the launch fee: ${total} SOL (${formatUsdHint(total)}).`
}

const PROMISES = [{ value: '', label: 'None' }, ...SEAL_TERMS]

/** Options to promise not to pull the rug before a certain time. */
function PaperPromise({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const { sealTerm, sealBag, initialBuyAmount } = draft
  const hasBag = sealTerm !== '' && initialQuote(initialBuyAmount) !== null
  return (
    <SealChoice
      label="Seal (optional)"
      terms={PROMISES}
      term={sealTerm}
      onTerm={(term) => onChange({ sealTerm: term })}
      bagText={hasBag ? 'Also seal my own tokens' : null}
      isBagSealed={sealBag !== ''}
      onBag={(isSealed) => onChange({ sealBag: isSealed ? 'yes' : '' })}
    >
      {sealTerm === ''
        ? 'Promise buyers not to pull the rug for some time.'
        : describePromise(sealTerm, hasBag && sealBag !== '')}{' '}
      House bots spend more SOL on a sealed token.
      {sealTerm !== '' && ' The price can still fall, because others can sell.'}
    </SealChoice>
  )
}

function describePromise(term: string, isBagSealed: boolean): string {
  if (term === 'ever') {
    return isBagSealed
      ? 'You can never pull the rug or sell the tokens from your first buy.'
      : 'You can never pull the rug.'
  }
  return isBagSealed
    ? 'Until the seal ends, you cannot pull the rug or sell the tokens from your first buy.'
    : 'Until the seal ends, you cannot pull the rug.'
}

const pool = launchPool()
const price = priceText(spotPrice(pool))

/** Shows the token's card as other players will see it, as soon as name and ticker are filled in. */
function LaunchPreview({ draft }: { draft: Draft }) {
  const named = draft.name.trim() !== '' && draft.symbol.trim() !== ''
  return (
    <section aria-labelledby="preview-title">
      <h2 id="preview-title" className="mb-m text-xl">
        Preview
      </h2>
      {named ? (
        <TokenTicket
          emoji={draft.emoji}
          name={draft.name.trim()}
          symbol={draft.symbol.trim()}
          price={price}
          changePercent="0"
          marketCap={solText(marketCap(pool))}
          supply={tokensText(SUPPLY)}
          rugged={false}
        />
      ) : (
        <p className={`px-m round-m dim text-center balance boxed edge-dashed ${classes.blank}`}>
          Enter a name and a ticker to preview your token here.
        </p>
      )}
    </section>
  )
}

const PERKS = [
  { emoji: '🎟️', title: '1 Billion total supply', text: 'All tokens start in the pool.' },
  {
    emoji: '💧',
    title: 'Instant liquidity pool creation',
    text: 'Trading opens immediately at a market cap of $6,000.',
  },
  { emoji: '✂️', title: '0.3% trading fee', text: 'The fee on every buy and sale goes to the treasury.' },
] as const

function Perks() {
  return (
    <section aria-labelledby="perks-title">
      <h2 id="perks-title" className="mb-m text-xl">
        Included in every launch
      </h2>
      <ul className="stack gap-m">
        {PERKS.map(({ emoji, title, text }) => (
          <li key={title} className="row stretch gap-m">
            <span className="emoji text-xl" aria-hidden="true">
              {emoji}
            </span>
            <span>
              <strong>{title}</strong>
              <span className="block dim">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
