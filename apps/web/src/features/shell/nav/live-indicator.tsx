import { useConnection } from '../../../lib/live/live.ts'
import classes from './live-indicator.module.css'

/** "Live" or "Offline"; empty during a page load. */
export function LiveIndicator() {
  const { state } = useConnection()
  return (
    <span className={classes.indicator} data-state={state} role="status">
      <span className={classes.lamp} aria-hidden="true" />
      <span className={classes.label}>{state === 'offline' ? 'Offline' : state === 'live' ? 'Live' : ''}</span>
    </span>
  )
}
