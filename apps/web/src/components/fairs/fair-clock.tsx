import type { Timed } from '../../lib/fairs/fair-time.ts'
import { describeTime } from '../../lib/fairs/fair-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import classes from './fair-clock.module.css'

/**
 * Shows the time until the next phase of a fair: `starts in 04:12`. Screen readers do not announce the time every
 * second.
 */
export function FairClock({ fair }: { fair: Timed }) {
  const { phase, words, clock } = describeTime(fair, useNow())
  return (
    <span className={`nowrap ${classes.clock}`} data-phase={phase} role="timer" aria-live="off">
      {words} {clock !== '' && <b>{clock}</b>}
    </span>
  )
}
