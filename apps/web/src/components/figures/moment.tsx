import type { ReactNode } from 'react'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'

interface MomentProps {
  readonly time: string
  /** Written before the full time in the tooltip, as in `Launched 23.11.2026, 16:05:09`. */
  readonly event?: string
  readonly children: ReactNode
}

/** A time in few words, whose tooltip is the full local time. Touch screens show no tooltips. */
export function Moment({ time, event = '', children }: MomentProps) {
  return (
    <time
      // Another time gets a new element, without the tooltip of this one.
      key={time}
      dateTime={time}
      // Written when it is needed: the first use of `Intl` takes more than 10 ms, too much for a page's start.
      onPointerEnter={({ currentTarget, pointerType }) => {
        if (pointerType !== 'touch') currentTarget.title = `${event} ${new Date(time).toLocaleString()}`.trim()
      }}
    >
      {children}
    </time>
  )
}

/** Relative time of an ISO time. A component of its own because it renders every second. */
export function Ago({ time }: { time: string }) {
  const now = useNow()
  return <Moment time={time}>{relativeTime(time, now)}</Moment>
}
