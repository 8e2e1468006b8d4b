import { relativeTime } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import classes from './offline-strip.module.css'

/** Says, while the live connection is lost, how old the figures on the screen are. */
export function OfflineStrip({ sinceMs }: { sinceMs: number }) {
  const now = useNow()
  return (
    <p className={classes.strip}>
      <strong>Offline.</strong> Figures are from {relativeTime(new Date(sinceMs).toISOString(), now)}. Reconnecting by
      itself…
    </p>
  )
}
