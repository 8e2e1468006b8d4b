import { useEffect, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { getPushSupport, subscribe } from '../../lib/api/push.ts'
import { readStored, store } from '../../lib/ui/stored.ts'
import { showFailure, showToast } from '../../lib/ui/toasts.ts'

const ASKED_KEY = 'papermoon-push-asked'

/** Asks a player who holds a token whether to send push messages about rug pulls. Each browser asks this only once. */
export function PushQuestion({ token }: { token: Token }) {
  const isPlayer = useCurrentUser() !== null
  const [isAsked, setAsked] = useState(() => readStored(ASKED_KEY) !== null)
  const mayAsk = isPlayer && !isAsked && token.ruggedAt === null && isAskable()
  const position = trpc.trading.position.useQuery({ tokenId: token.id }, { enabled: mayAsk })
  const state = trpc.push.state.useQuery(undefined, { enabled: mayAsk })
  const publicKey = state.data?.publicKey ?? null
  const holds = position.data !== undefined && position.data.amount !== '0'
  if (!mayAsk || !holds || publicKey === null) return null
  const answer = async (isYes: boolean) => {
    setAsked(true)
    try {
      if (isYes && (await subscribe(publicKey)))
        showToast({ title: 'Notifications are on', message: 'You can change your notifications in Settings.' })
    } catch (error) {
      showFailure('Could not turn on notifications', error, 'The browser’s push service did not respond. Try again.')
    }
  }
  return <Question symbol={token.symbol} onAnswer={(isYes) => void answer(isYes)} />
}

/** Remember that the browser has asked, even if the player leaves without answering. */
function Question({ symbol, onAnswer }: { symbol: string; onAnswer: (isYes: boolean) => void }) {
  useEffect(() => void store(ASKED_KEY, 'yes'), [])
  return (
    <Panel title="Get notified while you are away">
      <p>Do you want a notification if {symbol} is rugged while you are away?</p>
      <div className="acts">
        <Button look="quiet" onClick={() => onAnswer(true)}>
          Notify me
        </Button>
        <Button look="quiet" onClick={() => onAnswer(false)}>
          No, thanks
        </Button>
      </div>
    </Panel>
  )
}

/** Returns whether to ask the player. The player may already have answered the browser's own question. */
function isAskable(): boolean {
  return getPushSupport() === 'supported' && Notification.permission === 'default'
}
