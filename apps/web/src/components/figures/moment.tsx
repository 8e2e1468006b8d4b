import type { ReactNode } from 'react'
import { DAY_CLOCK } from '../../lib/format/moment-text.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'

interface MomentProps {
  readonly time: string
  /** Text before the full time in the tooltip. Example: `Launched` in `Launched 23.11.2026, 16:05:09`. */
  readonly event?: string
  readonly children: ReactNode
}

/** Shows a short time with a tooltip that contains the full local time. (Touch screens show no tooltips.) */
export function Moment({ time, event = '', children }: MomentProps) {
  return (
    <time
      // Each time gets its own element, so that no time shows another time's tooltip.
      key={time}
      dateTime={time}
      // Compute the tooltip on demand, because the first use of `Intl` takes more than 10 ms, which is too long for a
      // page's start.
      onPointerEnter={({ currentTarget, pointerType }) => {
        if (pointerType === 'touch') return
        currentTarget.title = `${event} ${new Date(time).toLocaleString([], DAY_CLOCK)}`.trim()
      }}
    >
      {children}
    </time>
  )
}

/** The relative time is a separate component, because it renders every second. */
export function Ago({ time }: { time: string }) {
  const now = useNow()
  return <Moment time={time}>{relativeTime(time, now)}</Moment>
}
