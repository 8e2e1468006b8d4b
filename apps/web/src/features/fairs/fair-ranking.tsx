import { Fragment, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Sol } from '../../components/figures/sol.tsx'
import { Button } from '../../components/form/button.tsx'
import { ConfirmButton } from '../../components/form/confirm-button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PlayerFace } from '../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import { cache, type Fair, type FairEntrant, type FairRanking, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useFocusFallback } from '../../lib/hooks/use-focus-fallback.ts'
import { mayMove } from '../../lib/ui/motion.ts'
import { FairGain, nameMedal, TakenOff } from './fair-gain.tsx'
import { ResultsLink } from './fair-host.tsx'
import classes from './fairs.module.css'

const SHOWN = 10
const MOVE_MS = 350

interface FairRankingPanelProps {
  readonly fair: Fair
  readonly ranking: FairRanking
  readonly canRemove: boolean
}

/**
 * Shows the first ten players and the visitor. A button shows all other players. Rows move smoothly to their new
 * positions. A host's buttons that remove players appear only on request, because they would distract during the game.
 */
export function FairRankingPanel({ fair, ranking, canRemove }: FairRankingPanelProps) {
  const [isWhole, setWhole] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const { entrants, mine, total } = ranking
  const shown = isWhole ? entrants : entrants.slice(0, SHOWN)
  const isBelow = mine !== null && !shown.some(({ userId }) => userId === mine.userId)
  const rows = isBelow ? [...shown, mine] : shown
  const firstUnranked = fair.state === 'lobby' ? -1 : rows.findIndex(({ isRanked }) => !isRanked)
  const list = useRef<HTMLOListElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusFallback(heading, isWhole)
  useGlide(list, entrants)
  if (total === 0) return <Panel title="Players">{<p className="dim">Nobody has entered yet. Be the first.</p>}</Panel>
  return (
    <Panel
      heading={heading}
      title={fair.state === 'lobby' ? 'Players' : ranking.isFinal ? 'Results' : 'Ranking'}
      aside={
        <>
          {ranking.isFinal && fair.me?.isHost === true && <ResultsLink id={fair.id} />}
          {canRemove && total > 1 && (
            <Button look="quiet" aria-pressed={isRemoving} onClick={() => setRemoving(!isRemoving)}>
              {isRemoving ? 'Done' : 'Remove players'}
            </Button>
          )}
        </>
      }
    >
      <ol ref={list} className={`relative ruled ${classes.entrants}`}>
        {rows.map((entrant, index) => (
          <Fragment key={entrant.userId}>
            {index === firstUnranked && (
              <li className={`small p-s-m ${classes.unranked}`}>{ranking.isFinal ? 'Not ranked' : 'Not ranked yet'}</li>
            )}
            <Row fair={fair} entrant={entrant}>
              {canRemove && isRemoving && !entrant.isBot && (
                <RemoveButton id={fair.id} entrant={entrant} onRemoved={() => heading.current?.focus()} />
              )}
            </Row>
          </Fragment>
        ))}
      </ol>
      {!isWhole && entrants.length > SHOWN && (
        <Button look="quiet" className="self-start" onClick={() => setWhole(true)}>
          {total > entrants.length ? `Show the first ${entrants.length}` : `Show all ${total}`}
        </Button>
      )}
    </Panel>
  )
}

interface RowProps {
  readonly fair: Fair
  readonly entrant: FairEntrant
  readonly children: ReactNode
}

function Row({ fair, entrant, children }: RowProps) {
  const user = useCurrentUser()
  const { userId, username, isBot, place, standing, score, isRanked, hasLeft, trades } = entrant
  const isMe = user?.id === userId
  const hasBegun = fair.state !== 'lobby'
  const words = [isMe && 'you', hasLeft && 'left', hasBegun && trades === 0 && 'no trades']
  return (
    <li className={`row wrap gap-m row-high ${isMe ? 'bleed-s p-s round-s on-raised' : 'py-s'}`} data-user={userId}>
      {hasBegun && (
        <span className={`fixed dim bold text-center ${classes.place}`}>
          {isRanked && (
            <>
              <span className="visually-hidden">Rank {place}</span>
              <span aria-hidden="true">{nameMedal(entrant)}</span>
            </>
          )}
        </span>
      )}
      <PlayerFace id={userId} size={28} />
      <span className={`stack grow ${classes.grow}`}>
        <PlayerLink id={userId} username={username} isBot={isBot} />
        <span className="small cut">{words.filter(Boolean).join(' · ')}</span>
        {hasBegun && <TakenOff standing={standing} score={score} />}
      </span>
      {hasBegun && (
        <span className="stack far tight">
          <b>
            <Sol value={score} digits={2} />
          </b>
          <FairGain score={score} stake={fair.stake} />
        </span>
      )}
      {!isMe && !hasLeft && children}
    </li>
  )
}

interface RemoveButtonProps {
  readonly id: number
  readonly entrant: FairEntrant
  readonly onRemoved: () => void
}

function RemoveButton({ id, entrant: { userId, username }, onRemoved }: RemoveButtonProps) {
  const remove = trpc.fairs.remove.useMutation({
    onSuccess: () => {
      // Move the focus, because the button disappears together with its row.
      onRemoved()
      void cache.fairs.ranking.invalidate({ id })
    },
    meta: { failure: 'Could not remove the player' },
  })
  return (
    <ConfirmButton
      action="Remove"
      busy="Removing..."
      of={username}
      isBusy={remove.isPending}
      onSure={() => remove.mutate({ id, userId })}
    />
  )
}

function useGlide(list: RefObject<HTMLElement | null>, order: unknown): void {
  const before = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const tops = new Map<string, number>()
    for (const row of list.current?.children ?? []) {
      const { user = '' } = (row as HTMLElement).dataset
      const top = (row as HTMLElement).offsetTop
      tops.set(user, top)
      const moved = (before.current.get(user) ?? top) - top
      if (moved === 0 || !mayMove('stagger')) continue
      row.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], {
        duration: MOVE_MS,
        easing: 'ease-out',
      })
    }
    before.current = tops
  }, [list, order])
}
