import type { ReactNode } from 'react'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'

interface MomentProps {
  readonly time: string
  /** Text before the full time in the tooltip, as in `Launched 23.11.2026, 16:05:09`. */
  readonly event?: string
  readonly children: ReactNode
}

/** A short time whose tooltip shows the full local time. Touch screens show no tooltips. */
export function Moment({ time, event = '', children }: MomentProps) {
  return (
    <time
      // A different time gets a new element, so it does not inherit this tooltip.
      key={time}
      dateTime={time}
      // The tooltip is set when needed, because the first use of `Intl` takes more than 10 ms, too long for a page's
      // start.
      onPointerEnter={({ currentTarget, pointerType }) => {
        if (pointerType !== 'touch') currentTarget.title = `${event} ${new Date(time).toLocaleString()}`.trim()
      }}
    >
      {children}
    </time>
  )
}

/** The relative time for an ISO time. It is a separate component because it renders every second. */
export function Ago({ time }: { time: string }) {
  const now = useNow()
  return <Moment time={time}>{relativeTime(time, now)}</Moment>
}
