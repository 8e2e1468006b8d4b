import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { serverNow } from '../../lib/api/server-now.ts'
import classes from './quest-card.module.css'
import { isQuestDone, storeQuest } from './quest-store.ts'

/** How long an account counts as new, in ms. */
const NEW_MS = 7 * 86_400_000

/**
 * Suggests first steps to a new player, and marks the steps that are done. Renders nothing for an older account, or
 * when every step is done or skipped.
 */
export function QuestCard() {
  const user = useCurrentUser()
  const [isSkipped, setSkipped] = useState(() => isQuestDone('skipped'))
  const isNew = user !== null && serverNow() - Date.parse(user.createdAt) < NEW_MS
  const isShown = isNew && !isSkipped
  const album = trpc.stickers.list.useQuery({ id: user?.id ?? (0 as never) }, { enabled: isShown })
  const alerts = trpc.alerts.list.useQuery(undefined, { enabled: isShown })
  if (!isShown || album.data === undefined || alerts.data === undefined) return null
  const has = (id: string) => album.data.stickers.some((sticker) => sticker.id === id && sticker.earnedAt !== null)
  const quests: readonly { emoji: string; isDone: boolean; text: ReactNode }[] = [
    { emoji: '🎟️', isDone: has('first-buy'), text: <Link to="/">Buy a token</Link> },
    { emoji: '👀', isDone: isQuestDone('answered'), text: 'See another player trade a token after you' },
    { emoji: '🪙', isDone: has('first-sale'), text: 'Sell some of your tokens' },
    { emoji: '🔔', isDone: alerts.data.length > 0, text: 'Set a price alert on a token’s page' },
    { emoji: '🚀', isDone: has('first-launch'), text: <Link to="/launch">Launch a token</Link> },
    { emoji: '🔏', isDone: has('first-seal'), text: 'Seal your token' },
  ]
  const done = quests.filter(({ isDone }) => isDone).length
  if (done === quests.length) return null
  const skip = () => {
    storeQuest('skipped')
    setSkipped(true)
  }
  return (
    <div className="mb-l">
      <Panel
        title="First steps"
        aside={
          <Button look="quiet" onClick={skip}>
            Skip
          </Button>
        }
      >
        <ol className="columns-s">
          {quests.map(({ emoji, isDone, text }) => (
            <li key={emoji} className="row gap-s fit" data-done={isDone}>
              <span className={`fixed round emoji text-l boxed edge-dashed ${classes.stamp}`} aria-hidden="true">
                {emoji}
              </span>
              <span>
                {text}
                {isDone && <span className="visually-hidden"> (done)</span>}
              </span>
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}
