import { Decimal, percentText, positionAfterSell, solText } from '@papermoon/amm'
import { isFairToken } from '@papermoon/contract/fair-tokens'
import { formatChange, formatSol, formatTokens } from '@papermoon/format'
import { useEffect, useEffectEvent, useState } from 'react'
import {
  cache,
  client,
  type Position,
  type Token,
  type TokenId,
  type Trade,
  trpc,
  type UserId,
} from '../../../lib/api/api.ts'
import { refetchPlayer, useCurrentUser } from '../../../lib/api/current-user.ts'
import { getReason } from '../../../lib/api/failure.ts'
import { type Keyed, type OrderFailure, useOrder } from '../../../lib/api/use-order.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { cacheTrade, refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { playFill } from '../../../lib/ui/sound.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import type { Quote, Side } from '../order/preview-trade.ts'
import { formatRefusal } from '../order/refusal-text.ts'

export interface Order {
  readonly side: Side
  readonly tokenId: TokenId
  /** Amount to pay as exact decimal text: SOL for a purchase, or tokens for a sale. */
  readonly amount: string
  /** Min amount to receive, or null to accept any amount. */
  readonly least: string | null
}

export interface Answer {
  /** The tokens received by a purchase, or the SOL received by a sale. */
  readonly received: string
  readonly trade: Trade
  readonly position: Position
  /** A sale's gain or loss, or null for a purchase and if the cost of the sold tokens is unknown. */
  readonly gain?: SaleGain | null
}

/** SOL received by a sale minus the average cost of the sold tokens, as exact text. */
export interface SaleGain {
  readonly sol: string
  readonly percent: string
}

/**
 * An order with the sequence number that the token had when the order was sent. That number is null if it is unknown,
 * as for a hidden token.
 */
export interface SentOrder extends Order {
  readonly afterSeq: number | null
  /** The holding from which the order sells, or undefined if it is unknown. */
  readonly before: Pick<Position, 'amount' | 'cost'> | undefined
}

const FAILURES = {
  buy: { title: 'Purchase Failed', fallback: 'Failed to buy tokens' },
  sell: { title: 'Sale Failed', fallback: 'Failed to sell tokens' },
} as const satisfies Record<Side, OrderFailure>

/** Text in the toast and at the button while an order's outcome is unknown. */
export const OUTCOME_UNKNOWN =
  'We don’t know whether your order went through. To check, press again without changing the amount. The same order never goes through twice.'

/** `useTrade` calls this function with an order's exact amount after the order was executed. */
type OnDone = (order: Pick<Order, 'side' | 'amount'>, answer: Answer) => void

type Traded = Pick<Token, 'id' | 'symbol'>

/** Trades a token, one order at a time. */
export function useTrade(token: Traded, onDone: OnDone) {
  const tokenId = token.id
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('trade tokens')
  const [late, setLate] = useState<Answer | null>(null)
  const finish = (answer: Answer, order: SentOrder) => {
    cacheTrade(tokenId, answer)
    playFill()
    showToast(toSuccessToast(token, answer))
    onDone(order, answer)
  }
  const order = useOrder<SentOrder, Answer>({
    call: async (sent, options) => withGain(await placeOrder(sent, options), sent),
    onAnswer: finish,
    failure: ({ side }) => ({
      ...FAILURES[side],
      unknown: OUTCOME_UNKNOWN,
      format: (sentence, reason) => formatRefusal(sentence, reason, side),
    }),
    onFailure: (error) => void refetchOutdated(token, error),
    askForLogin: ({ side, amount }) => askForLogin({ kind: 'trade', side, tokenId, amount }),
    // The price may have changed, so use the new quote's minimum for the repeat.
    repeat: (first, { least }) => ({ ...first, least }),
  })
  const { failed } = order
  useLateExecution(tokenId, failed?.isUnknown ? failed.order : null, (sent, executed) => {
    const answer = withGain(executed, sent)
    order.forget()
    setLate(answer)
    finish(answer, sent)
  })
  const submit = ({ side, amount, least }: Quote) => {
    setLate(null)
    const afterSeq = cache.tokens.get.getData({ id: tokenId })?.seq ?? null
    const before = cache.trading.position.getData({ tokenId })
    order.send({ side, tokenId, amount, least, afterSeq, before }, { asked: [side, amount] })
  }
  const done = order.answer ?? late
  return {
    isBusy: order.isBusy,
    failed,
    /** The player's last executed order. Another tab may have logged that player out. */
    done: done?.trade.userId === user?.id ? done : null,
    /** Sends an order at a quote. If the visitor is a guest, opens the login screen. */
    submit,
    /** Removes the rejection from the screen when the player changes the amount. */
    forgetRefusal: () => failed?.isUnknown === false && order.forget(),
  }
}

async function placeOrder(order: Keyed<Order>, options: { readonly signal: AbortSignal }): Promise<Answer> {
  const { side, tokenId, amount, requestId } = order
  const least = order.least ?? undefined
  if (side === 'buy') {
    const input = { tokenId, solAmount: amount, minTokensOut: least, requestId }
    const { tokensOut, trade, position } = await client.trading.buy.mutate(input, options)
    return { received: tokensOut, trade, position }
  }
  const input = { tokenId, tokenAmount: amount, minSolOut: least, requestId }
  const { solOut, trade, position } = await client.trading.sell.mutate(input, options)
  return { received: solOut, trade, position }
}

export type Trading = ReturnType<typeof useTrade>

function withGain(executed: Answer, { before }: SentOrder): Answer {
  return { ...executed, gain: computeSaleGain(executed, before) }
}

/**
 * Computes a sale's gain or loss compared to the average cost of the sold tokens. `before` is the holding that was
 * known when the order was sent. Returns null if that holding is unknown, or if it changed before the sale.
 */
export function computeSaleGain({ trade, position }: ExecutedSale, before: Holding | undefined): SaleGain | null {
  const { side, solAmount, tokenAmount } = trade
  if (side !== 'sell' || before === undefined) return null
  const held = { amount: new Decimal(before.amount), cost: new Decimal(before.cost) }
  if (!held.amount.eq(new Decimal(position.amount).add(tokenAmount))) return null
  const sale = positionAfterSell(held, new Decimal(tokenAmount), new Decimal(solAmount))
  if (!sale.position.cost.eq(position.cost)) return null
  return { sol: solText(sale.realizedPnl), percent: percentText(sale.realizedPnl, sale.costRemoved) }
}

type Holding = Pick<Position, 'amount' | 'cost'>

interface ExecutedSale {
  readonly trade: Pick<Trade, 'side' | 'solAmount' | 'tokenAmount'>
  readonly position: Holding
}

/**
 * Fetches outdated data again after the server rejected the order. The player may have traded elsewhere, or the feed
 * may be down.
 */
async function refetchOutdated({ id }: Traded, error: unknown): Promise<void> {
  const reason = getReason(error)
  if (reason === 'SLIPPAGE_EXCEEDED' && currentConnection().state !== 'live') refetchToken(id)
  const isShortOfSol = reason === 'INSUFFICIENT_BALANCE'
  const refetch = isShortOfSol && !isFairToken(id) ? refetchPlayer() : null
  const isOld = reason === 'INSUFFICIENT_TOKENS' || (isShortOfSol && isFairToken(id))
  const refetchTokens = isOld ? refetchPosition(id) : null
  // If the data cannot be fetched, keep the older data, because the player already knows about the rejection.
  await Promise.allSettled([refetch, refetchTokens])
}

function toSuccessToast(token: Traded, { trade, received, gain }: Answer) {
  return trade.side === 'buy'
    ? { title: 'Purchase Successful!', message: `Bought ${formatTokens(received)} ${token.symbol}` }
    : {
        title: 'Sale Successful!',
        // Use a message that fits one line on a phone, because the result on the page shows the gain in SOL.
        message: `Sold for ${formatSol(received)} SOL${gain == null ? '' : `: ${formatChange(gain.percent)}`}`,
      }
}

/**
 * Watches a token's trades for an order whose outcome is unknown. Calls `onFound` once if the order was executed, so
 * that its amount does not remain in the field.
 */
function useLateExecution(
  tokenId: TokenId,
  unconfirmed: SentOrder | null,
  onFound: (order: SentOrder, answer: Answer) => void,
): void {
  const user = useCurrentUser()
  const { data: trade = null } = trpc.tokens.trades.useQuery(
    { id: tokenId },
    {
      enabled: unconfirmed !== null && unconfirmed.afterSeq !== null,
      select: (trades) => (unconfirmed === null ? null : findExecution(trades, unconfirmed, user?.id ?? null)),
    },
  )
  const tell = useEffectEvent(onFound)
  useEffect(() => {
    if (unconfirmed === null || trade === null) return
    let isCancelled = false
    const cacheExecution = async () => {
      await refetchPosition(tokenId)
      const position = cache.trading.position.getData({ tokenId })
      if (isCancelled || position === undefined) return
      const received = trade.side === 'buy' ? trade.tokenAmount : trade.solAmount
      tell(unconfirmed, { received, trade, position })
    }
    // If the holding cannot be read, the outcome stays unknown, which is safe.
    cacheExecution().catch(() => {})
    return () => {
      isCancelled = true
    }
  }, [tokenId, unconfirmed, trade])
}

/** Returns the player's trade that executed `order`. Returns null if it is not among the latest trades. */
export function findExecution(
  trades: readonly Pick<Trade, 'seq' | 'side' | 'userId' | 'solAmount' | 'tokenAmount'>[],
  order: Pick<SentOrder, 'side' | 'amount' | 'afterSeq'>,
  userId: UserId | null,
) {
  const { side, amount, afterSeq } = order
  if (userId === null || afterSeq === null) return null
  const paid = (trade: (typeof trades)[number]) => (side === 'buy' ? trade.solAmount : trade.tokenAmount)
  const found = trades.find(
    (trade) =>
      trade.userId === userId && trade.side === side && trade.seq > afterSeq && new Decimal(paid(trade)).eq(amount),
  )
  return (found ?? null) as Trade | null
}

async function refetchPosition(tokenId: TokenId): Promise<void> {
  await cache.trading.position.fetch({ tokenId }, { staleTime: 0 })
}
