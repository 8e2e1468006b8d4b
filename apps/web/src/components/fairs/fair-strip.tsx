import { Link } from '@tanstack/react-router'
import type { Fair } from '../../lib/api/api.ts'
import { getPhase, isIn } from '../../lib/fairs/fair-time.ts'
import { useServerNow } from '../../lib/fairs/server-now.ts'
import { useEnterFair } from '../../lib/fairs/use-enter-fair.ts'
import { chooseFair, useFairList } from '../../lib/fairs/use-fair-list.ts'
import { FairClock } from './fair-clock.tsx'
import classes from './fair-strip.module.css'

/** One line about the fair that is next or runs: the first tap enters, the second leads there. */
export function FairStrip() {
  const { data, isPending } = useFairList()
  const fair = data && chooseFair(data)
  if (isPending) return <span className={classes.strip} />
  if (fair !== undefined) return <Strip key={fair.id} fair={fair} />
  return (
    <Link to="/fairs/{-$id}" className={classes.strip}>
      <span aria-hidden="true">🎡</span>
      <span className={classes.words}>
        <b>Fairs</b> <span className={classes.more}>A room for your friends: the same stake for all, and a bell.</span>
      </span>
      <b className={classes.go}>Look</b>
    </Link>
  )
}

function Strip({ fair }: { fair: Fair }) {
  const { id, name, state } = fair
  const phase = getPhase(fair, useServerNow())
  const { enter, isEntering } = useEnterFair(fair)
  const isPlaying = isIn(fair)
  const mayEnter =
    fair.me === null && fair.kind !== 'cup' && (phase === 'lobby' || (state === 'open' && fair.lateEntry))
  return (
    <div className={classes.strip} data-in={isPlaying}>
      <span aria-hidden="true">🎡</span>
      {/* The link covers the strip, under the button. */}
      <Link to="/fairs/{-$id}" params={{ id: String(id) }} className={classes.words}>
        <b className={classes.name}>{name}</b>
        <span className={classes.more}>{isPlaying ? 'you are in' : state === 'open' ? 'trading' : 'lobby'}</span>
        <FairClock fair={fair} />
      </Link>
      {mayEnter ? (
        <button type="button" className={classes.enter} onClick={enter} aria-disabled={isEntering || undefined}>
          {isEntering ? 'Entering...' : 'Enter'}
        </button>
      ) : (
        <b className={classes.go} aria-hidden="true">
          {isPlaying ? 'Go in' : 'Look'}
        </b>
      )}
    </div>
  )
}
