/** Max age of a response, in ms. A smaller difference does not prove that the device's clock is wrong. */
const DOUBT_MS = 2_000

let aheadMs = 0

/**
 * Records the server's time from a response that has just arrived, and returns the response. Every response is slightly
 * old, so the latest server time is used until someone changes the device's clock.
 */
export function noteServerTime(response: Response): Response {
  const difference = Date.parse(response.headers.get('date') ?? '') - deviceNow()
  if (Math.abs(difference) < DOUBT_MS) aheadMs = 0
  else if (difference > aheadMs || difference < aheadMs - DOUBT_MS) aheadMs = difference
  return response
}

/** Converts a time on the device's clock to a time on the server's clock, in ms. */
export function toServerTime(deviceMs: number): number {
  return deviceMs + aheadMs
}

/**
 * Returns the server's current time in ms, even if the device's clock is wrong. Before the first response, returns the
 * device's own time.
 */
export function serverNow(): number {
  return toServerTime(deviceNow())
}

/** Returns the device's time in ms. Use it only for times that no other clock writes or reads. */
export function deviceNow(): number {
  // biome-ignore lint/plugin: all other code chooses between the two clocks.
  return Date.now()
}
