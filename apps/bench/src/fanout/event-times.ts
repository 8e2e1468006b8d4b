const KEY = Buffer.from('"createdAt":"')
/** Length of a time such as `2026-01-08T00:00:00.000Z`, in characters. */
const TIME_CHARS = 24

/**
 * Finds the byte offset in a message at which the event's time begins. Throws an error if the message contains no time.
 */
export function timeSpan(message: Buffer): { readonly from: number; readonly until: number } {
  const key = message.indexOf(KEY)
  if (key < 0) throw new Error(`a message without a time: ${message.toString('utf8', 0, 200)}`)
  const from = key + KEY.length
  return { from, until: from + TIME_CHARS }
}

/** Reads the time of an event, in Unix ms. */
export function timeIn(message: Buffer): number {
  const { from, until } = timeSpan(message)
  return Date.parse(message.toString('latin1', from, until))
}
