import { formatSol } from '@papermoon/format'
import { patchToken } from '@papermoon/live'
import { useEffect, useState } from 'react'
import { type CurrentUser, cache, client, type Token } from '../../../lib/api/api.ts'
import { setBalance, useCurrentUser } from '../../../lib/api/current-user.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { type Keyed, useOrder } from '../../../lib/api/use-order.ts'
import { lazyImport, lazyPart } from '../../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { formatSealEnd, useUntil } from '../../../lib/market/own-seal.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import classes from './rug-control.module.css'

const loadRugDialog = () => import('./rug-dialog.tsx')
const RugDialog = lazyPart(loadRugDialog, 'RugDialog')

interface RugControlProps {
  readonly token: Token
  /** The control calls this function after the rug pull, because it then unmounts and loses the focus. */
  readonly onDone: () => void
}

/** The creator's button for a rug pull, which opens a confirmation. */
export function RugControl({ token, onDone }: RugControlProps) {
  const [isOpen, setOpen] = useState(false)
  const { isBusy, send } = useRug(token, onDone)
  const sealedUntil = useUntil(token.seal?.liquidityUntil ?? null)
  // Preload the code, so that the dialog also opens while the server is unreachable.
  useEffect(() => whenIdle(() => lazyImport(loadRugDialog)), [])
  return (
    <div className={`p-s-m round-m gap-m ${classes.control} apart`}>
      <p className="grow-wrap small tight breaks">
        {sealedUntil === null
          ? `You launched ${token.symbol}, so you can take its liquidity.`
          : `The token is sealed ${formatSealEnd(sealedUntil)}, so you cannot pull the rug.`}
      </p>
      <button
        type="button"
        className={`px-m alarm bold nowrap control round-s ${classes.button}`}
        aria-haspopup="dialog"
        disabled={sealedUntil !== null}
        onClick={() => setOpen(true)}
      >
        Pull the rug…
      </button>
      {isOpen && (
        <RugDialog token={token} isBusy={isBusy} onPull={() => send({ id: token.id })} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}

const FAILURE = {
  title: 'Rug Pull Failed',
  unknown: 'We don’t know whether the rug was pulled. Press again to check. The rug is never pulled twice.',
}

/** Pulls the rug of the player's own token. Shows toasts for the outcome. */
function useRug(token: Token, onDone: () => void) {
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('trade tokens')
  return useOrder({
    call: (order: Keyed<Pick<Token, 'id'>>, options) => client.trading.rug.mutate(order, options),
    onAnswer: (answer) => {
      if (user !== null) cacheRug(token, user, answer)
      const drained = formatSol(answer.ruggedAmount)
      showToast({ title: 'Rug Pull Executed!', message: `Drained ${drained} SOL from liquidity` })
      onDone()
    },
    failure: () => FAILURE,
    askForLogin: () => askForLogin(),
  })
}

/**
 * Writes the response to the cache: the balance, and the token as closed. The response lacks the event's `seq`, so the
 * live event still applies and sets the exact time. If the live feed is down, fetches the token again.
 */
export function cacheRug(
  { id }: Token,
  player: CurrentUser,
  { ruggedAmount, balance }: Record<'ruggedAmount' | 'balance', string>,
): void {
  setBalance(id, balance)
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
    createdAt: new Date(serverNow()).toISOString(),
  })
  cache.tokens.get.setData({ id }, { ...closed.data, seq })
  if (currentConnection().state !== 'live') refetchToken(id)
}
