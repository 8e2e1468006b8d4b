import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Fair } from '../../lib/api/api.ts'
import { getPhase, hasJoined } from '../../lib/fairs/fair-time.ts'
import { useEnterFair } from '../../lib/fairs/use-enter-fair.ts'
import { chooseFair, useFairList } from '../../lib/fairs/use-fair-list.ts'
import { useFocusFallback } from '../../lib/hooks/use-focus-fallback.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { FairClock } from './fair-clock.tsx'
import classes from './fair-strip.module.css'

const LOOK = `row grow phone-s ink px-s bare gap-s round-s relative touch-high on-surface hover-raised ${classes.strip}`

/**
 * Shows the next or running fair in one line. A tap on the button enters the fair, and opens the fair's page if trading
 * has started. A tap outside the button opens the fair's page.
 */
export function FairStrip() {
  const { data, isPending } = useFairList()
  const fair = data && chooseFair(data)
  if (isPending) return <span className={LOOK} />
  if (fair !== undefined) return <Strip key={fair.id} fair={fair} />
  return (
    <Link to="/fairs/{-$id}" className={LOOK}>
      <span aria-hidden="true">🎡</span>
      <span className={`row baseline gap-s grow bare nowrap clipped ${classes.words}`}>
        <b>Fairs</b> <span className="cut dim">Make a room for your friends. Everyone starts with the same SOL.</span>
      </span>
      <b className="accent px-s">View</b>
    </Link>
  )
}

function Strip({ fair }: { fair: Fair }) {
  const { id, name, state } = fair
  const phase = getPhase(fair, useNow())
  const isSoon = phase === 'soon'
  const { enter, isEntering } = useEnterFair(fair, { leadsThere: state === 'open' })
  const isPlaying = hasJoined(fair)
  const mayEnter =
    fair.me === null && fair.kind !== 'cup' && (phase === 'lobby' || (state === 'open' && fair.lateEntry))
  const link = useRef<HTMLAnchorElement>(null)
  useFocusFallback(link, isPlaying)
  return (
    <div className={LOOK} data-in={isPlaying}>
      <span aria-hidden="true">🎡</span>
      {/* The link covers the whole strip except the button. */}
      <Link
        ref={link}
        to="/fairs/{-$id}"
        params={isSoon ? {} : { id: String(id) }}
        className={`row baseline gap-s grow bare nowrap clipped ${classes.words}`}
      >
        <b className="cut">{name}</b>
        {!isSoon && <span className="cut dim">{isPlaying ? 'joined' : state === 'open' ? 'trading' : 'lobby'}</span>}
        <FairClock fair={fair} />
      </Link>
      {mayEnter ? (
        <button
          type="button"
          className={`fixed px-m round-s bold on-moon relative ${classes.enter}`}
          onClick={enter}
          aria-disabled={isEntering || undefined}
        >
          {isEntering ? 'Entering...' : 'Enter'}
        </button>
      ) : (
        <b className="accent px-s" aria-hidden="true">
          {isPlaying ? 'Open' : 'View'}
        </b>
      )}
    </div>
  )
}
