import type { Timed } from '../../lib/fairs/fair-time.ts'
import { describeTime } from '../../lib/fairs/fair-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import classes from './fair-clock.module.css'

/** What a fair waits for, with its clock: `starts in 04:12`. A screen reader reads it when asked, not every second. */
export function FairClock({ fair }: { fair: Timed }) {
  const { phase, words, clock } = describeTime(fair, useNow())
  return (
    <span className={classes.clock} data-phase={phase} role="timer" aria-live="off">
      {words} {clock !== '' && <b>{clock}</b>}
    </span>
  )
}
