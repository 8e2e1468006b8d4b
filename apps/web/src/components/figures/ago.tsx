import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'

/** Relative time of an ISO time. A component of its own because it renders every second. */
export function Ago({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {relativeTime(time, now)}
    </time>
  )
}
