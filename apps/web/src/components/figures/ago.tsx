import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Moment } from './moment.tsx'

/** Relative time of an ISO time. A component of its own because it renders every second. */
export function Ago({ time }: { time: string }) {
  const now = useNow()
  return <Moment time={time}>{relativeTime(time, now)}</Moment>
}
