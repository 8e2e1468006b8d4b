import { formatSol } from '@papermoon/format'
import { patchToken } from '@papermoon/live'
import { type ReactNode, useEffect, useState } from 'react'
import { type CurrentUser, cache, client, type Token } from '../../../lib/api/api.ts'
import { setBalance, useCurrentUser } from '../../../lib/api/current-user.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { type Keyed, useOrder } from '../../../lib/api/use-order.ts'
import { lazyImport, lazyPart } from '../../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { formatSealEnd, longerTerms, useUntil } from '../../../lib/market/own-seal.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import classes from './creator-controls.module.css'

const loadRugDialog = () => import('./rug-dialog.tsx')
const RugDialog = lazyPart(loadRugDialog, 'RugDialog')
const SealDialog = lazyPart(() => import('./seal-dialog.tsx'), 'SealDialog')

interface ControlProps {
  readonly text: string
  readonly button?: string | undefined
  readonly look: 'alarm' | 'accent'
  readonly isOff?: boolean
  readonly onPress: () => void
  /** The dialog that the button opens. */
  readonly children: ReactNode
}

function Control({ text, button, look, isOff = false, onPress, children }: ControlProps) {
  return (
    <div className={`p-s-m round-m gap-m ${classes.control} apart`}>
      <p className="grow-wrap small tight breaks">{text}</p>
      {button !== undefined && (
        <button
          type="button"
          className={`px-m ${look} bold nowrap control round-s ${classes.button}`}
          aria-haspopup="dialog"
          disabled={isOff}
          onClick={onPress}
        >
          {button}
        </button>
      )}
      {children}
    </div>
  )
}

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
  const text =
    sealedUntil === null
      ? `You launched ${token.symbol}, so you can take its liquidity.`
      : `The token is sealed ${formatSealEnd(sealedUntil)}, so you cannot pull the rug.`
  return (
    <Control text={text} button="Pull the rug…" look="alarm" isOff={sealedUntil !== null} onPress={() => setOpen(true)}>
      {isOpen && (
        <RugDialog token={token} isBusy={isBusy} onPull={() => send({ id: token.id })} onClose={() => setOpen(false)} />
      )}
    </Control>
  )
}

/** The button with which a creator promises not to pull the rug. */
export function SealControl({ token }: { token: Token }) {
  const [isOpen, setOpen] = useState(false)
  const { seal, creatorHolding } = token
  const until = useUntil(seal?.liquidityUntil ?? null)
  const bagUntil = useUntil(seal?.bagUntil ?? null)
  const canSeal = until === null || longerTerms(seal, creatorHolding, serverNow()).length > 0
  const bagText =
    bagUntil === null
      ? 'Your own tokens are not sealed, so you can sell them.'
      : `Your own tokens are sealed ${formatSealEnd(bagUntil)}.`
  const text = until === null ? 'Seal the token to show buyers that you cannot pull the rug.' : bagText
  const button = until === null ? 'Seal the token…' : 'Extend the seal…'
  return (
    <Control text={text} button={canSeal ? button : undefined} look="accent" onPress={() => setOpen(true)}>
      {isOpen && <SealDialog token={token} onClose={() => setOpen(false)} />}
    </Control>
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
