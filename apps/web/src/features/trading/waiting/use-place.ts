import { useState } from 'react'
import { cache, client, type Token } from '../../../lib/api/api.ts'
import { forgetPlayer } from '../../../lib/api/current-user.ts'
import { getSentence, isOutcomeUnknown, isSignedOut } from '../../../lib/api/failure.ts'
import { useRequestKey } from '../../../lib/api/request-key.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import { repeatOnce } from '../order/place-order.ts'
import { nameOrder, type toTerms } from './waiting-terms.ts'

const ANSWER_WITHIN_MS = 15_000

/** Places an order with a key of its own. Shows toasts for the outcome. */
export function usePlace({ symbol }: Pick<Token, 'symbol'>, onDone: () => void) {
  const askForLogin = useAskForLogin('trade tokens')
  const requestKey = useRequestKey()
  const [isBusy, setBusy] = useState(false)
  const place = async (terms: NonNullable<ReturnType<typeof toTerms>>) => {
    setBusy(true)
    try {
      const requestId = requestKey.keyFor(terms)
      const { order, trades } = await repeatOnce(() =>
        client.waitingOrders.place.mutate({ ...terms, requestId }, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }),
      )
      requestKey.answered(null)
      void cache.waitingOrders.list.invalidate()
      const isFilled = trades.length > 0
      showToast({
        title: isFilled ? 'Filled' : 'It waits',
        message: `${nameOrder(order)} of ${symbol}${order.state === 'waiting' && isFilled ? ': the rest waits' : ''}.`,
      })
      onDone()
    } catch (error) {
      requestKey.answered(error)
      if (isSignedOut(error)) {
        forgetPlayer()
        askForLogin(null, 'login')
      } else {
        const unknown = 'No answer came. Press again to find out whether it was placed.'
        showFailure('Not Placed', isOutcomeUnknown(error) ? unknown : getSentence(error), 'Failed to place the order')
      }
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, place, askForLogin }
}
