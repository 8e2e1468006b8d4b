import { formatCount } from '../../../lib/format/format.ts'

const DAY_AND_MINUTE = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Formats a time in the visitor's time zone: `14 Nov, 10:32`, with the year where it is not this one. */
export function formatMoment(time: string, now = new Date()): string {
  const date = new Date(time)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return date.toLocaleString('en-GB', { ...DAY_AND_MINUTE, ...(!isThisYear && { year: 'numeric' }) })
}

/** Names an event: `the launch`, `trade #1,234`, `the rug pull`. */
export function nameEvent(seq: number, isRug: boolean): string {
  if (isRug) return 'the rug pull'
  return seq === 0 ? 'the launch' : `trade #${formatCount(seq)}`
}
