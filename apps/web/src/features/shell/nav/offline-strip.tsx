import { relativeTime } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import classes from './offline-strip.module.css'

/** Shows the age of the figures while the live connection is lost. */
export function OfflineStrip({ sinceMs }: { sinceMs: number }) {
  const now = useNow()
  return (
    <p className={classes.strip}>
      <strong>Offline.</strong> Figures are from {relativeTime(new Date(sinceMs).toISOString(), now)}. Reconnecting by
      itself…
    </p>
  )
}
