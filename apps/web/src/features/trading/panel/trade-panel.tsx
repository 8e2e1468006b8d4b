import { useId, useRef, useState } from 'react'
import { type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { useKeptOrder } from '../../../lib/hooks/use-kept-order.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import type { Side } from '../fields/side.ts'
import { SideTabs } from '../fields/side-tabs.tsx'
import type { Quote } from '../order/preview-trade.ts'
import { storedSlippage, storeSlippage } from '../order/slippage.ts'
import { RugControl } from '../rug/rug-control.tsx'
import { TradeForm } from './trade-form.tsx'
import classes from './trade-panel.module.css'
import { useForeignTrades } from './use-foreign-trades.ts'
import { useTrade } from './use-trade.ts'
import { YourBag } from './your-bag.tsx'

/** A position older than this is refetched when the page opens, as the player may have traded elsewhere, ms. */
const POSITION_FRESH_MS = 5_000
const NO_AMOUNTS: Readonly<Record<Side, string>> = { buy: '', sell: '' }

/** The panel where a token is bought and sold. */
export function TradePanel({ token }: { token: Token }) {
  const user = useCurrentUser()
  const position = trpc.trading.position.useQuery(
    { tokenId: token.id },
    { enabled: user !== null, staleTime: POSITION_FRESH_MS },
  )
  useForeignTrades(token, user?.id ?? null)
  const panel = useRef<HTMLElement>(null)
  return (
    <>
      <section ref={panel} className={classes.panel} tabIndex={-1} aria-label={`Trade ${token.symbol}`}>
        <div className={classes.awning} aria-hidden="true" />
        {token.ruggedAt === null ? (
          <OpenTradePanel token={token} holding={position.data?.amount ?? null} />
        ) : (
          <ClosedTradePanel ruggedAt={token.ruggedAt} />
        )}
        {user !== null && <YourBag token={token} position={position.data} />}
      </section>
      {token.ruggedAt === null && token.creator.id === user?.id && (
        <RugControl token={token} onDone={() => panel.current?.focus()} />
      )}
    </>
  )
}

function OpenTradePanel({ token, holding }: { token: Token; holding: string | null }) {
  const id = useId()
  const user = useCurrentUser()
  const input = useRef<HTMLInputElement>(null)
  const kept = useKeptOrder(token.id, user !== null)
  const [side, setSide] = useState<Side>(kept?.side ?? 'buy')
  const [texts, setTexts] = useState(kept === null ? NO_AMOUNTS : { ...NO_AMOUNTS, [kept.side]: kept.amount })
  const [slippage, setSlippage] = useState(storedSlippage)
  const { busy, unsettled, submit } = useTrade(token)
  const focusOn = (next: Side) => {
    setSide(next)
    input.current?.focus()
  }
  useHotkey('b', () => focusOn('buy'))
  useHotkey('s', () => focusOn('sell'))

  const trade = async (quote: Quote) => {
    const isDone = await submit(quote)
    if (isDone) setTexts((before) => ({ ...before, [quote.side]: '' }))
  }
  return (
    <>
      <SideTabs id={id} side={side} onChange={setSide} />
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${side}-tab`}>
        <TradeForm
          token={token}
          side={side}
          input={input}
          text={texts[side]}
          onText={(text) => setTexts((before) => ({ ...before, [side]: text }))}
          have={side === 'buy' ? (user?.solBalance ?? null) : holding}
          isGuest={user === null}
          slippage={slippage}
          onSlippage={(percent) => {
            setSlippage(percent)
            storeSlippage(percent)
          }}
          isBusy={busy !== null}
          unsettledAmount={unsettled?.side === side ? unsettled.amount : null}
          onSubmit={(quote) => void trade(quote)}
        />
      </div>
    </>
  )
}

function ClosedTradePanel({ ruggedAt }: { ruggedAt: string }) {
  return (
    <div className={classes.closed}>
      <strong className={classes.stamp}>Rugged</strong>
      <p className={classes.text}>
        The creator pulled the rug on{' '}
        <time dateTime={ruggedAt}>
          {new Date(ruggedAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
        . This token is closed for good: nothing can be bought or sold.
      </p>
    </div>
  )
}
