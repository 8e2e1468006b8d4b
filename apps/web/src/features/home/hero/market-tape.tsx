import { formatChange, formatSol, getSign } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, type FocusEvent, type KeyboardEvent, memo, useState } from 'react'
import { FairStrip } from '../../../components/fairs/fair-strip.tsx'
import { Trend } from '../../../components/figures/change.tsx'
import { BotMark } from '../../../components/tokens/player-link.tsx'
import { type TapeEntry, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { counted } from '../../../lib/format/counted.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { useDailyGame } from '../../../lib/market/use-daily-game.ts'
import classes from './market-tape.module.css'
import { useSlidingTape } from './use-sliding-tape.ts'

/**
 * Shows the newest trades. Guests also get links to the next fair and to the daily game. Players find these links in
 * their own summary. The home page loads this part when it is idle.
 */
export function MarketTape() {
  const isGuest = useCurrentUser() === null
  return (
    <>
      <LatestTrades />
      {isGuest && (
        <div className={`row stretch gap-s mt-s ${classes.games}`}>
          <DailyTape />
          <FairStrip />
        </div>
      )}
    </>
  )
}

/** Shows a link to the daily game. After the game, players see their result and when the next game begins. */
function DailyTape() {
  const { data } = useDailyGame()
  const played = data?.calendar.find(({ day }) => day === data.day)
  return (
    <Link
      to="/tape"
      className={`row gap-s px-m phone-px-s phone-s round-s on-surface ink bare hover-raised touch-high ${classes.daily}`}
      data-played={played && 'true'}
    >
      <span className={played && 'phone-hidden'} aria-hidden="true">
        📼
      </span>
      {data === undefined || played === undefined ? (
        <>
          <span>
            <b>Today’s tape</b> <span className="dim phone-hidden">A three-minute trading game.</span>
          </span>
          <b className="ml-auto accent phone-hidden">Play</b>
        </>
      ) : (
        <>
          <b className="phone-unseen">Today’s tape</b>
          <span className="grow">
            <b>
              <Trend sign={getSign(played.percent)}>{formatChange(played.percent)}</Trend>
            </b>{' '}
            · streak of {counted(data.streak, 'day')}
          </span>
          <Next endsAt={data.endsAt} />
        </>
      )}
    </Link>
  )
}

function Next({ endsAt }: { endsAt: string }) {
  const minutes = Math.max(0, Math.ceil((Date.parse(endsAt) - useNow()) / 60_000))
  return <span className="dim">Next tape in {minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`}</span>
}

/**
 * Shows the market's newest trades, the latest first. The trades slide to the right when new ones arrive, and stop
 * while the list is paused, hovered or focused. The Tab key stops once at the list, and arrow keys move inside it. The
 * list is not a live region, because a screen reader would never stop talking.
 */
function LatestTrades() {
  const { data } = trpc.tokens.tape.useQuery()
  const [isPaused, setIsPaused] = useState(false)
  const [isHeld, setIsHeld] = useState(false)
  const { entries, added } = useSlidingTape(data, isPaused || isHeld)
  const { active, ...roving } = useRovingFocus(entries.length + 1)
  const hold = { onPointerEnter: () => setIsHeld(true), onPointerLeave: () => setIsHeld(false) }
  return (
    <section
      className={`row stretch round-s on-surface clipped ${classes.tape}`}
      aria-label="Latest trades"
      {...roving}
    >
      <button
        type="button"
        className="boxed fixed dim hover-ink focus-inside touch-wide torn-right"
        tabIndex={active === 0 ? 0 : -1}
        aria-label={isPaused ? 'Resume the latest trades' : 'Pause the latest trades'}
        onClick={() => setIsPaused(!isPaused)}
      >
        <svg width="16" fill="currentColor" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d={isPaused ? 'M7 4l13 8-13 8Z' : 'M6 4h4v16H6ZM14 4h4v16h-4Z'} />
        </svg>
      </button>
      {entries.length === 0 ? (
        <p className={`px-m dim ${classes.empty}`}>
          {data?.length === 0 && 'No trades yet. New trades will appear here.'}
        </p>
      ) : (
        <ol
          className={`relative ${classes.strip}`}
          {...hold}
          onFocus={hold.onPointerEnter}
          onBlur={hold.onPointerLeave}
        >
          {entries.map((entry, place) => (
            <Entry
              key={entry.id}
              entry={entry}
              place={place}
              from={place < added ? place - added : place}
              isActive={active === place + 1}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

interface EntryProps {
  readonly entry: TapeEntry
  readonly place: number
  /** The entry's old position, from which it slides to the new one. */
  readonly from: number
  readonly isActive: boolean
}

const Entry = memo(function Entry({ entry, place, from, isActive }: EntryProps) {
  const { tokenId, side, solAmount, username, isBot, emoji, tokenSymbol, tokenName } = entry
  const verb = side === 'buy' ? 'bought' : 'sold'
  return (
    <li className={`high absolute ${classes.entry}`} style={{ '--place': place, '--from': from } as CSSProperties}>
      <Link
        to="/token/$id"
        params={{ id: String(tokenId) }}
        className="row gap-xs px-m phone-px-s text-s bare nowrap hover-raised focus-inside high torn-right"
        tabIndex={isActive ? 0 : -1}
        title={`${username} ${verb} ${tokenName} for ${solAmount} SOL`}
      >
        <span className="emoji" aria-hidden="true">
          {emoji}
        </span>
        <span className={`dim cut phone-unseen ${classes.who}`}>{username}</span>{' '}
        {isBot && (
          <span className="fixed phone-unseen">
            <BotMark />{' '}
          </span>
        )}
        <span className={`fixed ${side === 'buy' ? 'up' : 'down'}`}>{verb}</span>{' '}
        <b className={`fixed cut ${classes.symbol}`}>{tokenSymbol}</b>{' '}
        <span className="fixed ml-auto semibold">{formatSol(solAmount, 2)} SOL</span>
      </Link>
    </li>
  )
})

const CONTROLS = 'a[href], button'

/** Makes an element's controls a single stop for the Tab key. Arrow keys, Home and End move between the controls. */
function useRovingFocus(count: number) {
  const [wanted, setWanted] = useState(0)
  const active = Math.min(wanted, count - 1)
  return {
    /** Index of the control that the Tab key focuses. */
    active,
    onFocus: ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
      const place = [...currentTarget.querySelectorAll<HTMLElement>(CONTROLS)].indexOf(target)
      if (place !== -1) setWanted(place)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const controls = event.currentTarget.querySelectorAll<HTMLElement>(CONTROLS)
      const place = toPlace(event.key, active, controls.length)
      if (place === null || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      controls[place]?.focus()
    },
  }
}

function toPlace(key: string, active: number, count: number): number | null {
  if (key === 'ArrowRight') return Math.min(active + 1, count - 1)
  if (key === 'ArrowLeft') return Math.max(active - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
