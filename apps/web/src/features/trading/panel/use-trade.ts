import { useRef, useState } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { forgetPlayer, refetchPlayer, useCurrentUser } from '../../../lib/api/current-user.ts'
import { getReason, getSentence, isOutcomeUnknown, isSignedOut } from '../../../lib/api/failure.ts'
import { newRequestKey } from '../../../lib/api/request-key.ts'
import { formatSol, formatTokens } from '../../../lib/format/format.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import type { TradeIntent } from '../../../lib/market/kept-intent.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import type { Side } from '../fields/side.ts'
import { type Answer, type Order, placeOrder } from '../order/place-order.ts'
import type { Quote } from '../order/preview-trade.ts'
import { mayRepeat } from '../order/repeat-once.ts'
import { refetchPosition, settleTrade } from '../order/settle-trade.ts'

const SOL_SHOWN = 6

const FAILURES = {
  buy: ['Purchase Failed', 'Failed to buy tokens'],
  sell: ['Sale Failed', 'Failed to sell tokens'],
} as const satisfies Record<Side, readonly [title: string, fallback: string]>

/** Shown in the toast and at the button when an order's outcome is unknown. */
export const OUTCOME_UNKNOWN =
  'Nobody knows whether your last order was placed. Press again: it asks, and never trades twice.'

export interface Trading {
  /** The side of the pending trade, or null. */
  readonly busy: Side | null
  /** The order whose outcome is unknown: submitting it again repeats it with its key, so it is executed once. */
  readonly unsettled: Order | null
  /** Trades at `quote`; resolves to true on success. Sends guests to the login. */
  submit(quote: Quote): Promise<boolean>
}

/** The part of a token that an order needs. */
type Traded = Pick<Token, 'id' | 'symbol'>

/** Trades a token, one order at a time; each new order has its own key. */
export function useTrade(token: Traded): Trading {
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('trade tokens')
  const [busy, setBusy] = useState<Side | null>(null)
  const [unsettled, setUnsettled] = useState<Order | null>(null)
  // A ref, because a double click is faster than a render.
  const isBusy = useRef(false)

  const trade = async (order: Order): Promise<boolean> => {
    try {
      const answer = await placeOrder(order)
      setUnsettled(null)
      settleTrade(token.id, answer)
      showToast(toSuccessToast(token, answer))
      return true
    } catch (error) {
      setUnsettled(mayRepeat(error) ? order : null)
      if (isSignedOut(error)) {
        // Otherwise the login screen would take the page's user as signed in and redirect back.
        forgetPlayer()
        askForLogin(toIntent(token, order), 'login')
      } else tellFailure(order.side, error)
      void refetchWhatIsShort(token, error)
      return false
    }
  }
  const submit = async (quote: Quote): Promise<boolean> => {
    if (isBusy.current) return false
    if (user === null) {
      askForLogin(toIntent(token, quote), 'register')
      return false
    }
    isBusy.current = true
    setBusy(quote.side)
    try {
      return await trade(toOrder(token, quote, unsettled))
    } finally {
      isBusy.current = false
      setBusy(null)
    }
  }
  return { busy, unsettled, submit }
}

/** What is kept while the player signs in. */
function toIntent({ id }: Traded, { side, amount }: Pick<Order, 'side' | 'amount'>): TradeIntent {
  return { kind: 'trade', side, tokenId: id, amount }
}

/** The order for `quote`. Reuses the key of an equal unsettled order, so that only one of them is executed. */
function toOrder(token: Traded, { side, amount, least }: Quote, unsettled: Order | null): Order {
  const isRepeat = unsettled !== null && unsettled.side === side && unsettled.amount === amount
  return { side, tokenId: token.id, amount, least, requestId: isRepeat ? unsettled.requestId : newRequestKey() }
}

/** A refused order may mean that the player traded elsewhere: refetch what was insufficient. */
async function refetchWhatIsShort({ id }: Traded, error: unknown): Promise<void> {
  const reason = getReason(error)
  const refetch = reason === 'INSUFFICIENT_BALANCE' ? refetchPlayer() : null
  const refetchTokens = reason === 'INSUFFICIENT_TOKENS' ? refetchPosition(id) : null
  // A failed refetch leaves older data; the refusal itself was shown.
  await Promise.allSettled([refetch, refetchTokens])
}

function tellFailure(side: Side, error: unknown): void {
  const [title, fallback] = FAILURES[side]
  showFailure(title, isOutcomeUnknown(error) ? OUTCOME_UNKNOWN : getSentence(error), fallback)
}

function toSuccessToast(token: Traded, { trade, received }: Answer) {
  return trade.side === 'buy'
    ? { title: 'Purchase Successful!', message: `Bought ${formatTokens(received)} ${token.symbol}` }
    : { title: 'Sale Successful!', message: `Sold for ${formatSol(received, SOL_SHOWN)} SOL` }
}
