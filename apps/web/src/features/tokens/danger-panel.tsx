import { useThrottledValue } from '@mantine/hooks'
import { AmmError, Decimal, OutputIsZeroError, type Pool, quoteSell, readPool, solText } from '@papermoon/amm'
import { isFairToken } from '@papermoon/contract/fair-tokens'
import { formatCount, formatShare, formatSol, NO_FIGURE } from '@papermoon/format'
import type { ReactNode } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { BotMark } from '../../components/tokens/player-link.tsx'
import { type Holder, type LaunchRecord, type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { formatSealEnd, freeAmount, type SealedBag, useSealedBag } from '../../lib/market/own-seal.ts'
import classes from './danger-panel.module.css'

/** Min time between two updates, in ms. Nobody could read faster changes. */
const MOVES_EVERY_MS = 250
const SOL_SHOWN = 4

/**
 * Shows how far the price would fall if the creator or the largest holder sold all unsealed tokens. The panel also
 * describes the creator's other tokens.
 */
export function DangerPanel({ token: latest }: { token: Token }) {
  const token = useThrottledValue(latest, MOVES_EVERY_MS)
  const { creator, creatorHolding } = token
  const ownId = useCurrentUser()?.id
  const holders = trpc.tokens.holders.useQuery({ id: token.id })
  const largest = holders.data?.find(({ userId }) => userId !== creator.id)
  const sealed = useSealedBag(token, creator.id)
  const isOwn = ownId === creator.id
  return (
    <Panel
      title="What if large holders sold everything?"
      className={classes.panel}
      aside={<span className="small">Fall of the price</span>}
    >
      <dl className="stack gap-s">
        <Sale
          label={isOwn ? 'You, the creator' : 'The creator'}
          seller={creator}
          amount={creatorHolding}
          sealed={sealed}
          token={token}
        />
        {largest !== undefined ? (
          <Sale
            label={largest.userId === ownId ? 'You, the largest holder' : largest.username}
            seller={largest}
            amount={largest.amount}
            sealed={null}
            token={token}
          />
        ) : (
          <Row label="The largest holder" figure={NO_FIGURE}>
            {holders.data !== undefined ? 'Nobody else holds this token.' : <Skeleton width="70%" height="1em" />}
          </Row>
        )}
      </dl>
      <CreatorRecord token={token} isOwn={isOwn} />
    </Panel>
  )
}

interface SaleProps {
  readonly label: string
  readonly seller: Pick<Holder, 'username' | 'isBot'>
  readonly amount: string
  readonly sealed: SealedBag | null
  readonly token: Token
}

function Sale({ label, seller, amount, sealed, token }: SaleProps) {
  const free = freeAmount(amount, sealed)
  const sale = quoteSaleOfAll(readPool(token.pool), free)
  const figure =
    sale === null ? (
      NO_FIGURE
    ) : (
      <>
        <span className={`down ${classes.arrow}`} aria-hidden="true">
          ▼
        </span>
        <span className="visually-hidden">the price would fall by </span>
        {sale.fall}
      </>
    )
  return (
    <Row label={label} seller={seller} figure={figure}>
      {amount === '0' && 'holds no tokens'}
      {amount !== '0' && free === '0' && sealed !== null && (
        <span title={`${amount} ${token.symbol}, sealed ${formatSealEnd(sealed.until)}`}>
          {formatShare(amount, token.supply)} of the supply is sealed
        </span>
      )}
      {free !== '0' && (
        <span title={`${free} ${token.symbol}${sale === null ? '' : ` for ${sale.proceeds} SOL`}`}>
          {describeFree(formatShare(free, token.supply), sale && formatSol(sale.proceeds, SOL_SHOWN))}
          {sealed !== null && `; ${formatShare(sealed.tokens, token.supply)} is sealed`}
        </span>
      )}
    </Row>
  )
}

function describeFree(share: string, proceeds: string | null): string {
  return proceeds === null ? `sells ${share} of the supply` : `sells ${share} of the supply for ${proceeds} SOL`
}

interface RowProps extends Pick<SaleProps, 'label'> {
  readonly seller?: SaleProps['seller']
  readonly figure: ReactNode
  readonly children: ReactNode
}

function Row({ label, seller, figure, children }: RowProps) {
  return (
    <div className="grid gap-x-m baseline cols-wide-fit">
      <dt className="ink semibold cut" title={seller?.username}>
        {label} {seller?.isBot && <BotMark />}
      </dt>
      <dd className="text-l bold">{figure}</dd>
      <dd className="text-s all-cols cut dim">{children}</dd>
    </div>
  )
}

function CreatorRecord({ token: { id, creator }, isOwn }: { token: Token; isOwn: boolean }) {
  const query = trpc.users.launchRecord.useQuery({ id: creator.id })
  return (
    <div className={`small ${classes.record}`}>
      <Fetched
        query={query}
        isSmall
        failure="Could not load the creator’s earlier launches"
        skeleton={<Skeleton width="90%" height="1em" />}
      >
        {(record) => formatRecord(record, { isOwn, isCounted: !isFairToken(id) })}
      </Fetched>
    </div>
  )
}

const NO_SALE = { fall: '0.00%', proceeds: '0' }

/**
 * Quotes the sale of a whole holding: the fall in percent of the current price, and the SOL after the fee. The quote is zero if the holding is empty or too small to pay a lamport. Returns
 * null if a rug pull closed the pool, or if the pool on screen is older than the holding.
 */
export function quoteSaleOfAll(pool: Pool, amount: string) {
  if (amount === '0') return NO_SALE
  try {
    const { spotBefore, spotAfter, solOut } = quoteSell(pool, new Decimal(amount))
    return { fall: formatShare(spotBefore.sub(spotAfter).toFixed(), spotBefore.toFixed()), proceeds: solText(solOut) }
  } catch (error) {
    if (error instanceof OutputIsZeroError) return NO_SALE
    if (error instanceof AmmError) return null
    throw error
  }
}

type Launches = Pick<LaunchRecord, 'launched' | 'rugged' | 'ruggedAmount' | 'scoundrel'>

interface Shown {
  readonly isOwn: boolean
  /** Whether the token on screen is in the main market, so that `launched` includes it (although it is not rugged). */
  readonly isCounted: boolean
}

/** Describes the creator's other tokens in the main market in one sentence. */
export function formatRecord(
  { launched, rugged, ruggedAmount, scoundrel }: Launches,
  { isOwn, isCounted }: Shown,
): string {
  const who = isOwn ? 'You have' : 'The creator has'
  const others = isCounted ? launched - 1 : launched
  const token = isCounted ? 'other token' : 'token'
  if (others <= 0) return `${who} launched no ${token} in the main market.`
  const tokens = `${formatCount(others)} ${token}${others === 1 ? '' : 's'} in the main market`
  const rugs = rugged === 0 ? 'none' : `${formatCount(rugged)} (for ${formatSol(ruggedAmount)} SOL)`
  const record = `${who} launched ${tokens} and rugged ${rugs}.`
  return scoundrel === 0 ? record : `${record} “Scoundrel” verdicts from rug courts: ${formatCount(scoundrel)}.`
}
