import type { Slot } from './candle-window.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Distances between labels that fall on round times of the day, ms. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 7, 14, 30, 60, 120, 365].map((days) => days * DAY_MS),
]

/** A label nearer to the left edge than this part of `every` would be cut off. */
const EDGE = 0.4

/**
 * A label per slot, empty for most: at round local times, at least `every` slots apart. Where a day begins between two
 * labels, the second one is the date.
 */
export function toTimeLabels(slots: readonly Slot[], widthMs: number, every: number): string[] {
  const stepMs = STEPS_MS.find((step) => step >= every * widthMs) ?? every * widthMs
  const labels: string[] = []
  let before: number | null = null
  let day: number | null = null
  for (const [place, { timeMs }] of slots.entries()) {
    const localMs = toLocalMs(timeMs)
    const period = Math.floor(localMs / stepMs)
    // The first slot is rarely at a round time.
    const isLabelled = before === null ? localMs % stepMs < widthMs : period !== before
    before = period
    if (!isLabelled || place + 0.5 < every * EDGE) {
      labels[place] = ''
      continue
    }
    const today = Math.floor(localMs / DAY_MS)
    const isDate = widthMs >= DAY_MS || stepMs >= DAY_MS || (day !== null && day !== today)
    labels[place] = isDate ? formatDay(timeMs) : stepMs < MINUTE_MS ? formatSecond(timeMs) : formatMinute(timeMs)
    day = today
  }
  return labels
}

/** Formats the time shown next to a slot's exact values; with seconds for candles narrower than a minute. */
export function formatSlotTime(timeMs: number, widthMs = MINUTE_MS): string {
  return `${formatDay(timeMs)}, ${widthMs < MINUTE_MS ? formatSecond(timeMs) : formatMinute(timeMs)}`
}

/** Milliseconds whose multiples of a day are local midnights. */
function toLocalMs(timeMs: number): number {
  return timeMs - new Date(timeMs).getTimezoneOffset() * MINUTE_MS
}

// Without `Intl`, whose first use takes more than 10 ms of a page's start.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

function formatDay(timeMs: number): string {
  const date = new Date(timeMs)
  return `${MONTHS[date.getMonth()]} ${date.getDate()}`
}

function formatMinute(timeMs: number): string {
  const date = new Date(timeMs)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

function formatSecond(timeMs: number): string {
  return `${formatMinute(timeMs)}:${pad(new Date(timeMs).getSeconds())}`
}

function pad(count: number): string {
  return String(count).padStart(2, '0')
}
