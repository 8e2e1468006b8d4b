import { useConnection } from '../../../lib/live/live.ts'
import classes from './live-indicator.module.css'

/** Live or Offline; for the blink of a page load, neither. */
export function LiveIndicator() {
  const { state } = useConnection()
  return (
    <span className={classes.indicator} data-state={state} role="status">
      <span className={classes.lamp} aria-hidden="true" />
      <span className={classes.label}>{state === 'offline' ? 'Offline' : state === 'live' ? 'Live' : ''}</span>
    </span>
  )
}
