import { useRef, useState } from 'react'
import { forgetPlayer } from '../../../lib/api/current-user.ts'
import { isOutcomeUnknown, isSignedOut } from '../../../lib/api/failure.ts'
import { useRequestKey } from '../../../lib/api/request-key.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { showFailure } from '../../../lib/ui/toasts.ts'
import { ANSWER_WITHIN_MS, repeatOnce } from './place-order.ts'

interface Failure {
  readonly title: string
  /** Message for an order whose outcome is unknown. */
  readonly unknown: string
}

/** Sends a player's orders one at a time, each with its own key. The player sees failures as toasts. */
export function useSendOnce({ title, unknown }: Failure) {
  const askForLogin = useAskForLogin('trade tokens')
  const requestKey = useRequestKey()
  const [isBusy, setBusy] = useState(false)
  // This is a ref, because a double click is faster than a render.
  const isUnderWay = useRef(false)
  /** `call` receives the order with its key. A repeated order stays the same while `asked` is equal. */
  const send = async <Order extends object, Answer>(
    order: Order,
    call: (keyed: Order & { requestId: string }, options: { signal: AbortSignal }) => Promise<Answer>,
    onAnswer: (answer: Answer) => void,
    asked: unknown = order,
  ): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    try {
      const keyed = requestKey.keep(order, asked)
      const answer = await repeatOnce(() => call(keyed, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }))
      requestKey.answered(null)
      onAnswer(answer)
    } catch (error) {
      requestKey.answered(error)
      if (isSignedOut(error)) {
        // Forget the user, because the login screen would otherwise redirect back.
        forgetPlayer()
        askForLogin(null, 'login')
      } else {
        if (isOutcomeUnknown(error)) showFailure('Result unknown', null, unknown)
        else showFailure(title, error)
      }
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return { isBusy, send, askForLogin }
}
