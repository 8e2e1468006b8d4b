import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { Button } from '../../../components/form/button.tsx'
import { cache, type Position, type Token, type TokenId, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { getReason } from '../../../lib/api/failure.ts'
import { OVERLAP_MS } from '../../../lib/live/follow.ts'
import { useTokenFeed } from '../../../lib/live/live.ts'
import { type SealedBag, useSealedBag } from '../../../lib/market/own-seal.ts'
import presets from '../fields/quick-amounts.module.css'
import { TradeForm } from '../panel/trade-form.tsx'
import { useTrade } from '../panel/use-trade.ts'
import { usePlaceOrder } from '../waiting/use-place-order.ts'
import { toOrderPrice, toPercentUnder, toTerms } from '../waiting/waiting-terms.ts'
import classes from './row-sale.module.css'
import { RowSaleWaiting } from './row-sale-waiting.tsx'

interface RowSaleProps {
  readonly tokenId: TokenId
  readonly symbol: string
  /**
   * A holding, as a list shows it. A list row needs no other data to sell a token whose page an operator has hidden.
   */
  readonly held: { readonly amount: string; readonly pool: Token['pool']; readonly isListed: boolean }
  /**
   * The form calls this function after each sale with the remaining holding, and with the token, or null if the token
   * has no page.
   */
  readonly onSold: (position: Position, token: Token | null) => void
  readonly onClose: () => void
}

/** A form that sells a token in a list row. While the form is open, the quote follows the pool live. */
export function RowSaleForm(props: RowSaleProps) {
  const { tokenId, symbol, held, onSold, onClose } = props
  const id = useId()
  // Read the token again if it is old, because no feed updates it while its page is closed.
  const token = trpc.tokens.get.useQuery({ id: tokenId }, { staleTime: OVERLAP_MS, enabled: held.isListed })
  useTokenFeed(tokenId, held.isListed && token.isSuccess)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  const sold = (position: Position) => {
    const shown = held.isListed ? cache.tokens.get.getData({ id: tokenId }) : undefined
    onSold(position, shown ?? null)
  }
  const form = () => {
    // The token may have been hidden since the list was fetched.
    if (!held.isListed || getReason(token.error) === 'TOKEN_NOT_FOUND') {
      return <SaleForm token={{ id: tokenId, symbol, pool: held.pool }} have={held.amount} onSold={sold} />
    }
    return (
      <Fetched query={token} failure="Could not load the token" skeleton={<RowSaleWaiting />}>
        {(listed) => <ListedSale token={listed} onSold={sold} />}
      </Fetched>
    )
  }
  return (
    <section className={`${classes.sale} stack gap-l fit`} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className={`${classes.head} apart`}>
        <h3 id={id} className="display text-l cut">
          Sell {symbol}
        </h3>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      {form()}
    </section>
  )
}

/** A form that sells a token with a page. The live feed updates the holding and the pool. */
function ListedSale({ token, onSold }: { token: Token; onSold: (position: Position) => void }) {
  const user = useCurrentUser()
  const position = trpc.trading.position.useQuery({ tokenId: token.id }, { staleTime: OVERLAP_MS })
  const sealedBag = useSealedBag(token, user?.id ?? null)
  const have = position.data?.amount ?? null
  return (
    <>
      <SaleForm token={token} have={have} sealedBag={sealedBag} onSold={onSold} />
      {have !== null && sealedBag === null && <ProtectButtons token={token} have={have} />}
    </>
  )
}

interface SaleFormProps {
  readonly token: Pick<Token, 'id' | 'symbol' | 'pool'>
  /** The exact amount of the holding, or null if the amount is unknown. */
  readonly have: string | null
  readonly sealedBag?: SealedBag | null
  readonly onSold: (position: Position) => void
  readonly isFocused?: boolean
}

/** The sell form of the trade panel. The amount field takes the focus on mount unless `isFocused` is false. */
export function SaleForm({ token, have, sealedBag = null, onSold, isFocused = true }: SaleFormProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const trade = useTrade(token, (_, { position }) => {
    setText('')
    onSold(position)
  })
  useEffect(() => {
    if (isFocused) input.current?.focus({ preventScroll: true })
  }, [isFocused])
  const form = { token, side: 'sell', input, text, onText: setText, have, sealedBag, trade } as const
  return <TradeForm {...form} />
}

interface ProtectButtonsProps {
  readonly token: Pick<Token, 'id' | 'symbol' | 'currentPrice'>
  readonly have: string
}

/**
 * Buttons for orders that sell a whole holding when its price has fallen or risen. A tap on a button places the order.
 */
function ProtectButtons({ token, have }: ProtectButtonsProps) {
  const { isBusy, send } = usePlaceOrder(token, () => {})
  const [isAny, setAny] = useState(false)
  const wait = (mode: 'stop' | 'limit', percent: string) => () => {
    const price = toOrderPrice(percent, 'percent', token.currentPrice)
    const terms = toTerms(token, {
      mode,
      side: 'sell',
      amount: have,
      price,
      isAny,
      target: null,
      duration: 'month',
      changed: null,
    })
    if (terms !== null) send(terms, { asked: [mode, have, isAny] })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser.
    <div role="group" aria-label="Sell later">
      <div className="row stretch gap-s wrap">
        <button type="button" className={`p-xs ${presets.chip} pill`} disabled={isBusy} onClick={wait('stop', '-10')}>
          Protect: sell all at −10%
        </button>
        <button type="button" className={`p-xs ${presets.chip} pill`} disabled={isBusy} onClick={wait('limit', '50')}>
          Take profit: sell all at +50%
        </button>
      </div>
      <label className="row gap-s touch text-s">
        <input type="checkbox" checked={isAny} onChange={(event) => setAny(event.currentTarget.checked)} />
        Protect: sell at any price
      </label>
      <p className="small">
        {isAny
          ? 'Protect sells at any price.'
          : `Protect sells at most ${toPercentUnder(null)}% below the trigger. If the price falls further, the rest of the order stays open.`}
      </p>
    </div>
  )
}
