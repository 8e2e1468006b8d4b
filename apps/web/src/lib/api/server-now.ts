/** A response is about as old as this; a smaller difference says nothing about the device's clock, ms. */
const DOUBT_MS = 2_000

let aheadMs = 0

/**
 * Notes the server's time in a response that has just arrived, and returns it. It is always a little old, so of several the latest time
 * counts, until the device's clock is changed.
 */
export function noteServerTime(response: Response): Response {
  const difference = Date.parse(response.headers.get('date') ?? '') - deviceNow()
  if (Math.abs(difference) < DOUBT_MS) aheadMs = 0
  else if (difference > aheadMs || difference < aheadMs - DOUBT_MS) aheadMs = difference
  return response
}

/** A time by the device's clock in the server's, ms. */
export function toServerTime(deviceMs: number): number {
  return deviceMs + aheadMs
}

/** The server's time in ms, whatever the device's clock says; the device's own until the server has answered. */
export function serverNow(): number {
  return toServerTime(deviceNow())
}

/** The device's time in ms, for times that no other clock writes or reads. */
export function deviceNow(): number {
  // biome-ignore lint/plugin: all other code chooses between the two clocks.
  return Date.now()
}
