import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'

/** How long ago an ISO time was; it moves each second, and so stands apart from what does not. */
export function Ago({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {relativeTime(time, now)}
    </time>
  )
}
