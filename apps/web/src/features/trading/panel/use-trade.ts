import { isFairToken } from '@papermoon/contract/fair-tokens'
import { formatChange, formatSol, formatTokens } from '@papermoon/format'
import { useState } from 'react'
import { cache, type Token } from '../../../lib/api/api.ts'
import { refetchPlayer, useCurrentUser } from '../../../lib/api/current-user.ts'
import { getReason } from '../../../lib/api/failure.ts'
import { type FailedOrder, type OrderFailure, useOrder } from '../../../lib/api/use-order.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { playFill } from '../../../lib/ui/sound.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { cacheTrade, refetchPosition } from '../order/cache-trade.ts'
import { computeSaleGain } from '../order/impact.ts'
import { type Answer, type Order, placeOrder } from '../order/place-order.ts'
import type { Quote, Side } from '../order/preview-trade.ts'
import { formatRefusal } from '../order/refusal-text.ts'
import { type SentOrder, useLateExecution } from './use-late-execution.ts'

const SOL_SHOWN = 6

const FAILURES = {
  buy: { title: 'Purchase Failed', fallback: 'Failed to buy tokens' },
  sell: { title: 'Sale Failed', fallback: 'Failed to sell tokens' },
} as const satisfies Record<Side, OrderFailure>

/** Text in the toast and at the button while an order's outcome is unknown. */
export const OUTCOME_UNKNOWN =
  'We don’t know whether your order went through. To check, press again without changing the amount. The same order never goes through twice.'

export interface Trading {
  readonly isBusy: boolean
  /** The last order if it failed, otherwise null. */
  readonly failed: FailedOrder<Order> | null
  /** The player's last executed order. */
  readonly done: Answer | null
  /** Sends an order at `quote`. Sends guests to the login screen. */
  submit(quote: Quote): void
  /** Removes the rejection from the screen once the player changes the amount. */
  forgetRefusal(): void
}

/** Called after an order was executed, with its exact amount. */
type OnDone = (order: Pick<Order, 'side' | 'amount'>, answer: Answer) => void

type Traded = Pick<Token, 'id' | 'symbol'>

/** Trades a token, one order at a time. */
export function useTrade(token: Traded, onDone: OnDone): Trading {
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
    // The price may have moved, so a repeat has the minimum of the new quote.
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
    // Another tab may have logged the player out.
    done: done?.trade.userId === user?.id ? done : null,
    submit,
    forgetRefusal: () => failed?.isUnknown === false && order.forget(),
  }
}

function withGain(executed: Answer, { before }: SentOrder): Answer {
  return { ...executed, gain: computeSaleGain(executed, before) }
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

function toSuccessToast(token: Traded, { trade, received, gain }: Answer) {
  return trade.side === 'buy'
    ? { title: 'Purchase Successful!', message: `Bought ${formatTokens(received)} ${token.symbol}` }
    : {
        title: 'Sale Successful!',
        // The message fits one line on a phone. The result on the page shows the gain in SOL.
        message: `Sold for ${formatSol(received, SOL_SHOWN)} SOL${gain == null ? '' : `: ${formatChange(gain.percent)}`}`,
      }
}
