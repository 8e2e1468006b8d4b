import { formatSol } from '@papermoon/format'
import { patchToken } from '@papermoon/live'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type CurrentUser, cache, client, type Token } from '../../../lib/api/api.ts'
import { forgetPlayer, setBalance, useCurrentUser } from '../../../lib/api/current-user.ts'
import { getSentence, isOutcomeUnknown, isSignedOut } from '../../../lib/api/failure.ts'
import { useRequestKey } from '../../../lib/api/request-key.ts'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { formatSealEnd, useUntil } from '../../../lib/market/own-seal.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import { repeatOnce } from '../order/place-order.ts'
import classes from './rug-control.module.css'

const loadRugDialog = () => import('./rug-dialog.tsx')
const RugDialog = lazy(() => lazyImport(loadRugDialog).then((module) => ({ default: module.RugDialog })))

interface RugControlProps {
  /** The player's own token, not yet rugged. */
  readonly token: Token
  /** Called after the rug pull; this control unmounts and loses the focus. */
  readonly onDone: () => void
}

/** The creator's rug pull: a quiet button that opens a confirmation. */
export function RugControl({ token, onDone }: RugControlProps) {
  const [isOpen, setOpen] = useState(false)
  const { isBusy, pull } = useRug(token)
  const sealedUntil = useUntil(token.seal?.liquidityUntil ?? null)
  // Preloaded, so that the dialog also opens while the server is away.
  useEffect(() => whenIdle(() => lazyImport(loadRugDialog)), [])
  const pullAndGo = async () => {
    if (await pull()) onDone()
  }
  return (
    <div className={classes.control}>
      <p className={classes.text}>
        {sealedUntil === null
          ? `You launched ${token.symbol}: its liquidity is yours to take.`
          : `Sealed ${formatSealEnd(sealedUntil)}: you cannot pull the rug.`}
      </p>
      <button
        type="button"
        className={classes.button}
        aria-haspopup="dialog"
        disabled={sealedUntil !== null}
        onClick={() => setOpen(true)}
      >
        Pull the rug…
      </button>
      {isOpen && (
        <Suspense>
          <RugDialog token={token} isBusy={isBusy} onPull={() => void pullAndGo()} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

const ANSWER_WITHIN_MS = 15_000
const SOL_SHOWN = 6
const OUTCOME_UNKNOWN = 'No answer came. Press again to find out whether the rug was pulled.'

interface Rugging {
  readonly isBusy: boolean
  /** Pulls the rug; resolves to true on success. Shows toasts for the outcome. */
  pull(): Promise<boolean>
}

/** Pulls the rug of the player's own token. Repeated calls while one is pending do nothing. */
function useRug(token: Token): Rugging {
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

/** The server's answer to a rug pull. */
interface RugAnswer {
  /** SOL drained from the pool. */
  readonly ruggedAmount: string
  /** The player's balance in SOL afterwards. */
  readonly balance: string
}

/**
 * Writes a rug pull's answer to the cache: the balance, and the token as closed. The answer lacks the event's `seq`, so
 * the live event still applies, with the exact time. If the live feed is down, refetches the token.
 */
function settleRug({ id }: Token, player: CurrentUser, { ruggedAmount, balance }: RugAnswer): void {
  setBalance(balance)
  const token = cache.tokens.get.getData({ id })
  if (token === undefined || token.ruggedAt !== null) return
  const { seq } = token
  const closed = patchToken(token, {
    type: 'rug_pull',
    tokenId: id,
    seq: seq + 1,
    userId: player.id,
    username: player.username,
    isBot: player.isBot,
    amount: ruggedAmount,
    createdAt: new Date().toISOString(),
  })
  cache.tokens.get.setData({ id }, { ...closed.data, seq })
  if (currentConnection().state !== 'live') refetchToken(id)
}
