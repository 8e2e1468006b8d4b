import { useRef, useState } from 'react'
import { client, type Token } from '../../../lib/api/api.ts'
import { forgetPlayer, useCurrentUser } from '../../../lib/api/current-user.ts'
import { getSentence, isOutcomeUnknown, isSignedOut } from '../../../lib/api/failure.ts'
import { useRequestKey } from '../../../lib/api/request-key.ts'
import { formatSol } from '../../../lib/format/format.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import { repeatOnce } from '../order/repeat-once.ts'
import { settleRug } from './settle-rug.ts'

const ANSWER_WITHIN_MS = 15_000
const SOL_SHOWN = 6
const OUTCOME_UNKNOWN = 'Nobody knows whether the rug was pulled. Press again: it asks, and never pulls twice.'

export interface Rugging {
  readonly isBusy: boolean
  /** Pulls the rug; resolves to true on success. Shows toasts for the outcome. */
  pull(): Promise<boolean>
}

/** Pulls the rug of the player's own token. Repeated calls while one is pending do nothing. */
export function useRug(token: Token): Rugging {
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('trade tokens')
  const requestKey = useRequestKey()
  const [isBusy, setBusy] = useState(false)
  // A ref, because a double click is faster than a render.
  const isUnderWay = useRef(false)

  const pull = async (): Promise<boolean> => {
    if (isUnderWay.current || user === null) return false
    isUnderWay.current = true
    setBusy(true)
    try {
      const order = { id: token.id, requestId: requestKey.keyFor(token.id) }
      const send = () => client.trading.rug.mutate(order, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
      const answer = await repeatOnce(send)
      requestKey.answered(null)
      settleRug(token, user, answer)
      const drained = formatSol(answer.ruggedAmount, SOL_SHOWN)
      showToast({ title: 'Rug Pull Executed!', message: `Drained ${drained} SOL from liquidity` })
      return true
    } catch (error) {
      requestKey.answered(error)
      if (isSignedOut(error)) {
        // Otherwise the login screen would take the page's user as signed in and redirect back.
        forgetPlayer()
        askForLogin(null, 'login')
      } else tellFailure(error)
      return false
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return { isBusy, pull }
}

function tellFailure(error: unknown): void {
  const sentence = isOutcomeUnknown(error) ? OUTCOME_UNKNOWN : getSentence(error)
  showFailure('Rug Pull Failed', sentence, 'Failed to execute rug pull')
}
