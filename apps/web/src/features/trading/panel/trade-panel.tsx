import { isFairToken } from '@papermoon/contract/fair-tokens'
import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Segmented, toOptions } from '../../../components/form/segmented.tsx'
import { type Token, type TokenId, trpc, type WaitingOrder } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import { hasJoined } from '../../../lib/fairs/fair-time.ts'
import { formatLongMoment } from '../../../lib/format/moment-text.ts'
import { useOwnAccount } from '../../../lib/live/own-account.ts'
import { useSealedBag } from '../../../lib/market/own-seal.ts'
import { forgetIntent, readIntent, type TradeIntent } from '../../../lib/market/stored-intent.ts'
import { useValueUnit } from '../../../lib/market/value-unit.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import { RugControl, SealControl } from '../creator/creator-controls.tsx'
import { SideTabs } from '../fields/side-tabs.tsx'
import { isAmount } from '../order/presets.ts'
import type { Side } from '../order/preview-trade.ts'
import { TradeSheet, useTradeSheet } from './sheet/trade-sheet.tsx'
import { TradeBar } from './trade-bar.tsx'
import { TradeForm } from './trade-form.tsx'
import classes from './trade-panel.module.css'
import { describeResult } from './trade-result.tsx'
import { useTrade } from './use-trade.ts'
import { YourBag } from './your-bag.tsx'

/**
 * Max age of a holding's data when the page opens, in ms. Older data is fetched again, because the player may have
 * traded elsewhere.
 */
const POSITION_FRESH_MS = 5_000
const EnterFirst = lazyPart(() => import('../../../components/fairs/enter-button.tsx'), 'EnterFirst')

const WaitingForm = lazyPart(() => import('../waiting/waiting-form.tsx'), 'WaitingForm')
const WaitingList = lazyPart(() => import('../waiting/waiting-list.tsx'), 'WaitingList')

/** When an order is executed: at once, or when the price reaches a limit or a stop. */
const MODES = toOptions({ market: 'Market', limit: 'Limit', stop: 'Stop' })
type Mode = (typeof MODES)[number]['value']

function toMode({ stopPrice }: WaitingOrder): Mode {
  return stopPrice === null ? 'limit' : 'stop'
}

const NO_AMOUNTS: Readonly<Record<Side, string>> = { buy: '', sell: '' }

export function TradePanel({ token }: { token: Token }) {
  const user = useCurrentUser()
  const { fairId } = token
  const fair = trpc.fairs.get.useQuery({ id: fairId ?? 0 }, { enabled: fairId !== undefined }).data
  const isInFair = fair !== undefined && hasJoined(fair)
  const position = trpc.trading.position.useQuery(
    { tokenId: token.id },
    {
      enabled: user !== null && (fairId === undefined || isInFair),
      staleTime: POSITION_FRESH_MS,
    },
  )
  // Do not subscribe here in the main game, because the shell already follows that account.
  useOwnAccount(isInFair ? (user?.id ?? null) : null, fairId)
  const isOpen = token.ruggedAt === null
  const holding = position.data?.amount ?? null
  const isOutside = fairId !== undefined && (fair === undefined || !hasJoined(fair) || fair.state !== 'open')
  const stored = useStoredOrder(token.id, user !== null)
  // Open the panel for a player who returns to place a stored order.
  const sheet = useTradeSheet({ isUsed: isOpen && !isOutside, startsOpen: stored !== null && user !== null })
  const [side, setSide] = useState<Side>(stored?.side ?? 'buy')
  const panel = useRef<HTMLElement>(null)
  const [changed, setChanged] = useState<WaitingOrder | null>(null)
  const changeSide = (next: Side) => {
    setSide(next)
    setChanged(null)
  }
  const openSheet = (next: Side) => {
    changeSide(next)
    sheet.open()
  }
  const change = (order: WaitingOrder) => {
    openSheet(order.kind === 'buy' ? 'buy' : 'sell')
    setChanged(order)
    panel.current?.focus()
  }
  return (
    <>
      <TradeSheet sheet={sheet} label={`Buy or sell ${token.symbol}`}>
        <section
          ref={panel}
          className={`round-m on-surface p-xl-l relative ${classes.panel} stack gap-l fit`}
          tabIndex={-1}
          aria-label={`Trade ${token.symbol}`}
        >
          <div className={`clipped absolute ${classes.awning}`} aria-hidden="true" />
          {fairId !== undefined && isOutside ? (
            <EnterFirst fair={fair} />
          ) : token.ruggedAt === null ? (
            <OpenTradePanel
              token={token}
              balance={isFairToken(token.id) ? (position.data?.balance ?? null) : (user?.solBalance ?? null)}
              holding={holding}
              stored={stored}
              side={side}
              onSide={changeSide}
              onOpen={sheet.open}
              changed={changed}
              onChanged={() => setChanged(null)}
            />
          ) : (
            <ClosedTradePanel ruggedAt={token.ruggedAt} />
          )}
          {user !== null && <YourBag token={token} position={position.data} userId={user.id} isOver={isOutside} />}
          {user !== null && isOpen && !isOutside && <WaitingList token={token} onChange={change} />}
        </section>
      </TradeSheet>
      {isOpen && !isOutside && (
        <TradeBar token={token} position={position.data} isOpen={sheet.isOpen} onOpen={openSheet} />
      )}
      {isOpen && !isOutside && token.creator.id === user?.id && (
        <>
          {fair?.rugs !== false && <RugControl token={token} onDone={() => panel.current?.focus()} />}
          {fairId === undefined && <SealControl token={token} />}
        </>
      )}
    </>
  )
}

interface OpenTradePanelProps {
  readonly token: Token
  /** SOL that the player can spend, from the main game or from the token's fair. */
  readonly balance: string | null
  readonly holding: string | null
  /** The order that the player wanted to place before login. */
  readonly stored: TradeIntent | null
  readonly side: Side
  readonly onSide: (side: Side) => void
  /** Opens the sheet if the trade panel is in a sheet. */
  readonly onOpen: () => void
  readonly changed: WaitingOrder | null
  readonly onChanged: () => void
}

function OpenTradePanel(props: OpenTradePanelProps) {
  const { token, balance, holding, stored, side, onSide, onOpen, changed, onChanged } = props
  const id = useId()
  const user = useCurrentUser()
  const unit = useValueUnit()
  const sealedBag = useSealedBag(token, user?.id ?? null)
  const input = useRef<HTMLInputElement>(null)
  const [texts, setTexts] = useState(stored === null ? NO_AMOUNTS : { ...NO_AMOUNTS, [stored.side]: stored.amount })
  const [chosen, setMode] = useState<Mode>('market')
  const mode = changed === null ? (side === 'buy' && chosen === 'stop' ? 'limit' : chosen) : toMode(changed)
  const trade = useTrade(token, (order) => {
    // Keep an amount that the player typed after an order without a response.
    setTexts((before) => (isAmount(before[order.side], order.amount) ? { ...before, [order.side]: '' } : before))
  })
  const done = trade.done?.trade.side === side ? trade.done : null
  const focusOn = (next: Side) => {
    // Make both changes in one flush, because a closed sheet cannot be focused.
    flushSync(() => {
      onSide(next)
      onOpen()
    })
    input.current?.focus()
  }
  const changeMode = (next: Mode) => {
    setMode(next)
    onChanged()
  }
  useHotkey('b', () => focusOn('buy'), input)
  useHotkey('s', () => focusOn('sell'), input)

  return (
    <>
      <SideTabs id={id} side={side} onChange={onSide} />
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${side}-tab`}>
        <div className="mb-m">
          <Segmented<Mode>
            label="Order type"
            options={side === 'buy' ? MODES.slice(0, 2) : MODES}
            value={mode}
            onChange={changeMode}
          />
        </div>
        {mode !== 'market' && (
          <WaitingForm
            key={`${mode} ${side} ${changed?.id} ${changed?.price} ${changed?.stopPrice}`}
            token={token}
            mode={mode}
            side={side}
            have={side === 'buy' ? balance : holding}
            isGuest={user === null}
            changed={changed}
            onChanged={onChanged}
          />
        )}
        {mode === 'market' && (
          <TradeForm
            token={token}
            side={side}
            input={input}
            text={texts[side]}
            onText={(text) => setTexts((before) => ({ ...before, [side]: text }))}
            have={side === 'buy' ? balance : holding}
            holding={holding}
            sealedBag={sealedBag}
            isGuest={user === null}
            trade={trade}
          />
        )}
        <p className="visually-hidden" role="status">
          {done !== null && describeResult({ symbol: token.symbol, done }, unit)}
        </p>
      </div>
    </>
  )
}

function ClosedTradePanel({ ruggedAt }: { ruggedAt: string }) {
  return (
    <div className="stack middle gap-m text-center p-xl-l">
      <strong className="stamp alarm text-2xl">Rugged</strong>
      <p className="dim">
        The creator pulled the rug on <time dateTime={ruggedAt}>{formatLongMoment(ruggedAt)}</time>. This token is
        closed for good, so nobody can buy or sell it.
      </p>
    </div>
  )
}

/**
 * Returns the order for this token that the visitor wanted to place before login, or null. The returned order does not
 * change until the component unmounts. A logged-in player gets the order only once.
 */
function useStoredOrder(tokenId: TokenId, isSignedIn: boolean): TradeIntent | null {
  const [order] = useState(() => {
    const intent = readIntent()
    return intent?.kind === 'trade' && intent.tokenId === tokenId ? intent : null
  })
  useEffect(() => {
    if (isSignedIn && order !== null) forgetIntent()
  }, [isSignedIn, order])
  return order
}
