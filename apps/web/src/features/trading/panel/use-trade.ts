import { isFairToken } from '@papermoon/contract/fair-tokens'
import { formatChange, formatSol, formatTokens } from '@papermoon/format'
import { useRef, useState } from 'react'
import { cache, type Token } from '../../../lib/api/api.ts'
import { forgetPlayer, refetchPlayer, useCurrentUser } from '../../../lib/api/current-user.ts'
import { getReason, getSentence, isOutcomeUnknown, isSignedOut } from '../../../lib/api/failure.ts'
import { newRequestKey } from '../../../lib/api/request-key.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import type { TradeIntent } from '../../../lib/market/stored-intent.ts'
import { playFill } from '../../../lib/ui/sound.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import { cacheTrade, refetchPosition } from '../order/cache-trade.ts'
import { computeSaleGain } from '../order/impact.ts'
import { type Answer, mayRepeat, type Order, repeatOnce, sendOrder } from '../order/place-order.ts'
import type { Quote, Side } from '../order/preview-trade.ts'
import { formatRefusal } from '../order/refusal-text.ts'
import { type SentOrder, useLateExecution } from './use-late-execution.ts'

const SOL_SHOWN = 6

const FAILURES = {
  buy: { title: 'Purchase Failed', fallback: 'Failed to buy tokens' },
  sell: { title: 'Sale Failed', fallback: 'Failed to sell tokens' },
} as const satisfies Record<Side, { title: string; fallback: string }>

/** Text in the toast and at the button while an order's outcome is unknown. */
export const OUTCOME_UNKNOWN =
  'We don’t know whether your order went through. To check, press again without changing the amount. The same order never goes through twice.'

export interface Trading {
  /** The side of the pending order, or null. */
  readonly busy: Side | null
  /** The order whose outcome is unknown. Submitting it again repeats it with its key, so it is executed once. */
  readonly unconfirmed: Order | null
  readonly refused: RefusedOrder | null
  /** The player's last executed order. */
  readonly done: Answer | null
  /** Sends an order at `quote`. Sends guests to the login screen. */
  submit(quote: Quote): Promise<void>
  /** Removes the rejection from the screen once the player changes the amount. */
  forgetRefusal(): void
}

/** An order that the server rejected, so nothing was traded. */
export interface RefusedOrder extends Pick<Order, 'side' | 'amount'> {
  readonly reason: string | null
  readonly sentence: string
}

/** Called after an order was executed, with its exact amount. */
type OnDone = (order: Pick<Order, 'side' | 'amount'>, answer: Answer) => void

type Traded = Pick<Token, 'id' | 'symbol'>

/** Trades a token, one order at a time. Each new order has its own key. */
export function useTrade(token: Traded, onDone: OnDone): Trading {
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('trade tokens')
  const [busy, setBusy] = useState<Side | null>(null)
  const [unconfirmed, setUnconfirmed] = useState<SentOrder | null>(null)
  const [refused, setRefused] = useState<RefusedOrder | null>(null)
  const [done, setDone] = useState<Answer | null>(null)
  // Use a ref, because a double click is faster than a render.
  const isBusy = useRef(false)

  const finish = (order: SentOrder, executed: Answer) => {
    const answer = { ...executed, gain: computeSaleGain(executed, order.before) }
    setUnconfirmed(null)
    setDone(answer)
    cacheTrade(token.id, answer)
    playFill()
    showToast(toSuccessToast(token, answer))
    onDone(order, answer)
  }
  useLateExecution(token.id, unconfirmed, finish)
  const trade = async (order: SentOrder): Promise<void> => {
    try {
      finish(order, await repeatOnce(() => sendOrder(order)))
    } catch (error) {
      setUnconfirmed(mayRepeat(error) ? order : null)
      if (isSignedOut(error)) {
        // Forget the user, because the login screen would otherwise redirect back.
        forgetPlayer()
        askForLogin(toIntent(token, order), 'login')
        return
      }
      const sentence = describeFailure(order.side, error)
      if (!mayRepeat(error)) setRefused({ ...order, reason: getReason(error), sentence })
      showFailure(isOutcomeUnknown(error) ? 'Result unknown' : FAILURES[order.side].title, null, sentence)
      void refetchOutdated(token, error)
    }
  }
  const submit = async (quote: Quote): Promise<void> => {
    if (isBusy.current) return
    if (user === null) return askForLogin(toIntent(token, quote), 'register')
    isBusy.current = true
    setBusy(quote.side)
    setRefused(null)
    setDone(null)
    try {
      await trade(toOrder(token, quote, unconfirmed))
    } finally {
      isBusy.current = false
      setBusy(null)
    }
  }
  // Another tab may have logged the player out.
  const ownDone = done?.trade.userId === user?.id ? done : null
  return { busy, unconfirmed, refused, done: ownDone, submit, forgetRefusal: () => setRefused(null) }
}

function toIntent({ id }: Traded, { side, amount }: Pick<Order, 'side' | 'amount'>): TradeIntent {
  return { kind: 'trade', side, tokenId: id, amount }
}

/**
 * Returns an order for `quote`. If an equal order's outcome is unknown, reuses its key, so that only one of them is
 * executed.
 */
function toOrder(token: Traded, { side, amount, least }: Quote, unconfirmed: SentOrder | null): SentOrder {
  const order = { side, tokenId: token.id, amount, least }
  const isRepeat = unconfirmed !== null && unconfirmed.side === side && unconfirmed.amount === amount
  if (isRepeat) return { ...unconfirmed, ...order }
  const afterSeq = cache.tokens.get.getData({ id: token.id })?.seq ?? null
  const before = cache.trading.position.getData({ tokenId: token.id })
  return { ...order, requestId: newRequestKey(), afterSeq, before }
}

/**
 * Refetches data that is outdated if the server rejected the order: the player may have traded elsewhere, or the feed
 * may be down.
 */
async function refetchOutdated({ id }: Traded, error: unknown): Promise<void> {
  const reason = getReason(error)
  if (reason === 'SLIPPAGE_EXCEEDED' && currentConnection().state !== 'live') refetchToken(id)
  const isShortOfSol = reason === 'INSUFFICIENT_BALANCE'
  const refetch = isShortOfSol && !isFairToken(id) ? refetchPlayer() : null
  const isOld = reason === 'INSUFFICIENT_TOKENS' || (isShortOfSol && isFairToken(id))
  const refetchTokens = isOld ? refetchPosition(id) : null
  // After a failed refetch, the older data remains. The player already knows the rejection.
  await Promise.allSettled([refetch, refetchTokens])
}

function describeFailure(side: Side, error: unknown): string {
  if (isOutcomeUnknown(error)) return OUTCOME_UNKNOWN
  const sentence = getSentence(error)
  return sentence === null ? FAILURES[side].fallback : formatRefusal(sentence, getReason(error), side)
}

function toSuccessToast(token: Traded, { trade, received, gain }: Answer) {
  return trade.side === 'buy'
    ? { title: 'Purchase Successful!', message: `Bought ${formatTokens(received)} ${token.symbol}` }
    : {
        title: 'Sale Successful!',
        // The message fits one line on a phone. The result on the page shows the gain in SOL.
        message: `Sold for ${formatSol(received, SOL_SHOWN)} SOL${gain == null ? '' : `: ${formatChange(gain.percent)}`}`,
      }
}
