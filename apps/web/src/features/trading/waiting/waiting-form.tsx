import { PRICE_DECIMALS, type Price } from '@papermoon/amm'
import { formatSol } from '@papermoon/format'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Value } from '../../../components/figures/value.tsx'
import { Button } from '../../../components/form/button.tsx'
import { Segmented, toOptions } from '../../../components/form/segmented.tsx'
import { type Token, trpc, type WaitingOrder } from '../../../lib/api/api.ts'
import { useTypedAmount } from '../../../lib/hooks/use-typed-amount.ts'
import { useValueUnit } from '../../../lib/market/value-unit.ts'
import presets from '../fields/quick-amounts.module.css'
import field from '../fields/trade-amount-field.module.css'
import { TradeAmountField } from '../fields/trade-amount-field.tsx'
import type { Side } from '../order/preview-trade.ts'
import { usePlaceOrder } from './use-place-order.ts'
import {
  type Duration,
  fromOrderPrice,
  nameOrder,
  type PriceUnit,
  toBegin,
  toDuration,
  toOrderPrice,
  toPercentUnder,
  toTerms,
  toTyped,
  type WaitingMode,
} from './waiting-terms.ts'

const CHIPS = {
  down: ['-5', '-10', '-20'],
  up: ['20', '50', '100'],
}
const UNITS = toOptions<PriceUnit>({ price: 'Price', cap: 'Market cap', percent: '±%' })
const DURATIONS = toOptions<Duration>({ hour: '1 h', day: '1 d', week: '7 d', month: '30 d' })

interface WaitingFormProps {
  readonly token: Token
  readonly mode: WaitingMode
  readonly side: Side
  /** Exact amount that the player can pay, or null for guests and while the amount is unknown. */
  readonly have: string | null
  readonly isGuest: boolean
  /** The order to change, or null to place a new order. */
  readonly changed: WaitingOrder | null
  readonly onChanged: () => void
}

/** A form for a waiting order: a limit order, or a stop order with an optional target. */
export function WaitingForm({ token, mode, side, have, isGuest, changed: opened, onChanged }: WaitingFormProps) {
  const { symbol, currentPrice } = token
  const unitOfPage = useValueUnit()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const typed = toTyped(opened)
  const [amount, setAmount] = useState(typed.amount)
  const [unit, setUnit] = useState<PriceUnit>(opened === null ? unitOfPage : 'price')
  const [priceText, setPriceText] = useState(typed.price)
  const [targetText, setTargetText] = useState(typed.target)
  const [isUnreadable, setUnreadable] = useState(false)
  const [isAny, setAny] = useState(typed.isAny)
  const [duration, setDuration] = useState(() => toDuration(opened))
  const changed = useRest(opened, setAmount)
  const price = toOrderPrice(priceText, unit, currentPrice)
  const target = mode === 'stop' ? toOrderPrice(targetText, unit, currentPrice) : null
  const draft = { mode, side, amount, price, isAny, target, duration, changed }
  const terms = isUnreadable ? null : toTerms(token, draft)
  const { isBusy, send, askForLogin } = usePlaceOrder(token, changed === null ? () => setAmount('') : onChanged)
  const asked = [amount, unit, priceText, targetText, isAny, duration, changed?.fills]
  const isBuy = side === 'buy'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isGuest) askForLogin()
    else if (terms !== null) send(terms, { asked })
  }
  const changeUnit = (next: PriceUnit) => {
    setPriceText(price === null ? '' : fromOrderPrice(price, next, currentPrice))
    setTargetText(target === null ? '' : fromOrderPrice(target, next, currentPrice))
    setUnit(next)
  }
  return (
    <form className="stack gap-m fit" aria-busy={isBusy} onSubmit={submit}>
      <TradeAmountField
        input={input}
        button={button}
        side={side}
        symbol={symbol}
        isInFair={token.fairId !== undefined}
        value={amount}
        onChange={setAmount}
        held={have}
        have={have}
        disabled={isBusy}
      />
      <Segmented label="Enter the price as" options={UNITS} value={unit} onChange={changeUnit} />
      <PriceField
        label={mode === 'stop' ? 'Sell when the price falls to' : isBuy ? 'Buy at or below' : 'Sell at or above'}
        unit={unit}
        text={priceText}
        onText={setPriceText}
        chips={mode === 'stop' || isBuy ? CHIPS.down : CHIPS.up}
        current={currentPrice}
      />
      {mode === 'stop' && (
        <PriceField
          label="Take profit at (optional)"
          unit={unit}
          text={targetText}
          onText={(text, isRefused = false) => {
            setUnreadable(isRefused)
            setTargetText(text)
          }}
          chips={CHIPS.up}
          current={currentPrice}
        />
      )}
      {mode === 'stop' && (
        <label className="row gap-s touch text-s">
          <input type="checkbox" checked={isAny} onChange={(event) => setAny(event.currentTarget.checked)} />
          Sell at any price (otherwise at most {toPercentUnder(changed)}% below the trigger)
        </label>
      )}
      <OrderSummary
        begin={toBegin(draft)}
        unit={unit}
        isBuy={isBuy}
        pays={isBuy ? amount : ''}
        isRest={changed !== opened}
      />
      <Button ref={button} wide tall type="submit" disabled={isBusy || (terms === null && !isGuest)}>
        {isGuest ? 'Log in to trade' : isBusy ? 'Placing...' : nameSubmit(terms, changed !== null)}
      </Button>
      <div className="row small between">
        <span aria-hidden="true">Expires after</span>
        <Segmented label="Expires after" options={DURATIONS} value={duration} onChange={setDuration} />
      </div>
    </form>
  )
}

function nameSubmit(terms: ReturnType<typeof toTerms>, isChange: boolean): string {
  if (terms === null) return isChange ? 'Change order' : 'Place order'
  const name = nameOrder(terms).toLowerCase()
  return isChange ? `Change ${name}` : `Place ${name}`
}

/**
 * Returns the order to change, with its remaining amount. If the order was partly filled meanwhile, the typed amount is
 * too large.
 */
function useRest(opened: WaitingOrder | null, onRest: (left: string) => void): WaitingOrder | null {
  const [changed, setChanged] = useState(opened)
  const { data } = trpc.waitingOrders.list.useQuery({ tokenId: opened?.tokenId }, { enabled: opened !== null })
  const now = data?.orders.find(({ id }) => id === opened?.id)
  if (changed !== null && now !== undefined && now.fills > changed.fills) {
    setChanged({ ...changed, fills: now.fills, left: now.left })
    onRest(now.left)
  }
  return changed
}

interface OrderSummaryProps {
  readonly begin: Price | null
  readonly unit: PriceUnit
  readonly isBuy: boolean
  readonly pays: string
  /** Whether a part of the order was filled since the player opened it. */
  readonly isRest: boolean
}

function OrderSummary({ begin, unit, isBuy, pays, isRest }: OrderSummaryProps) {
  return (
    <p className="small">
      {isRest && 'Part of the order was filled. The form shows the rest. '}
      {begin === null ? (
        'The order fills when the market reaches its price.'
      ) : (
        <>
          The order starts to fill at <Value price={begin.toFixed()} unit={unit === 'cap' ? 'cap' : 'price'} saysSol />.
          {pays !== '' && ` You pay at most ${formatSol(pays, 6)} SOL.`}
        </>
      )}{' '}
      {isBuy
        ? 'Your SOL is not reserved. The first order to fill uses it.'
        : 'Your tokens are not reserved. The first order to fill uses them.'}
    </p>
  )
}

interface PriceFieldProps {
  readonly label: string
  readonly unit: PriceUnit
  readonly text: string
  readonly onText: (text: string, isUnreadable?: boolean) => void
  /** Values of the buttons, as percentages of the current price. */
  readonly chips: readonly string[]
  readonly current: string
}

/** A field for a price in one of the units, with buttons for percentages of the current price. */
function PriceField({ label, unit, text, onText, chips, current }: PriceFieldProps) {
  const id = useId()
  const isNegative = text.startsWith('-')
  const typing = useTypedAmount(isNegative ? text.slice(1) : text, PRICE_DECIMALS, (value, isRefused) =>
    onText(isNegative && value !== '' ? `-${value}` : value, isRefused),
  )
  const pick = (percent: string) => {
    const price = toOrderPrice(percent, 'percent', current)
    if (price !== null) onText(fromOrderPrice(price, unit, current))
  }
  return (
    <div>
      <label className="fixed bold" htmlFor={id}>
        {label}
      </label>
      <div
        className={`row gap-s mt-s px-s round-s edge hover-edge on-ground ${field.field}`}
        data-invalid={typing.isUnreadable}
      >
        {unit === 'percent' && (
          <button
            type="button"
            className="px-s round-s ink bold control edge"
            aria-label={isNegative ? 'Below the current price' : 'Above the current price'}
            onClick={() => onText(isNegative ? text.slice(1) : `-${text}`, typing.isUnreadable)}
          >
            {isNegative ? '−' : '+'}
          </button>
        )}
        <input
          id={id}
          className={`grow ink text-xl bold no-outline ${field.input}`}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder={unit === 'percent' ? '0' : '0.0'}
          aria-invalid={typing.isUnreadable}
          aria-describedby={`${id}-hint`}
          value={typing.text}
          onChange={(event) => typing.type(event.currentTarget.value)}
        />
        <span className={`dim bold cut ${field.unit}`} aria-hidden="true">
          {unit === 'percent' ? '%' : 'SOL'}
        </span>
      </div>
      <p id={`${id}-hint`} className="small" role="status">
        {typing.hint}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser. */}
      <div className="row stretch gap-s wrap mt-s" role="group" aria-label={`${label}, relative to the current price`}>
        {chips.map((percent) => (
          <button key={percent} type="button" className={`p-xs ${presets.chip} pill`} onClick={() => pick(percent)}>
            {percent.startsWith('-') ? `−${percent.slice(1)}` : `+${percent}`}%
          </button>
        ))}
      </div>
    </div>
  )
}
