/** Matches a sequence number in a URL, without sign or leading zero and as a safe integer. */
const SEQ = /^(?:0|[1-9]\d{0,14})$/

/** Returns the sequence number from the query parameter `at`. Returns null if there is not exactly one valid number. */
export function parseAt(query: unknown): number | null {
  const { at } = Object(query) as { at?: unknown }
  return typeof at === 'string' && SEQ.test(at) ? Number(at) : null
}

const parts = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const dateFormat = new Intl.DateTimeFormat('en-GB', parts)
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })

/** Formats the date and time in UTC for pages and pictures, because their readers' time zone is unknown. */
export function formatMomentTime(iso: string): { readonly date: string; readonly time: string } {
  const moment = new Date(iso)
  return { date: dateFormat.format(moment), time: `${timeFormat.format(moment)} UTC` }
}
