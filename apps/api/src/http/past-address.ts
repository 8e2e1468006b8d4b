/** Matches a sequence number in a URL: no sign, no leading zero, at most a safe integer. */
const SEQ = /^(?:0|[1-9]\d{0,14})$/

/** Returns the sequence number from `?at=`; null if there is none, or not exactly one valid number. */
export function parseAt(query: unknown): number | null {
  const { at } = Object(query) as { at?: unknown }
  return typeof at === 'string' && SEQ.test(at) ? Number(at) : null
}

const parts = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const dateFormat = new Intl.DateTimeFormat('en-GB', parts)
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })

/** Formats the date and time for pages and pictures, in UTC, because their readers' time zone is unknown. */
export function formatMomentTime(iso: string): { readonly date: string; readonly time: string } {
  const moment = new Date(iso)
  return { date: dateFormat.format(moment), time: `${timeFormat.format(moment)} UTC` }
}
