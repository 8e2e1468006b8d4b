let last = { ms: Number.NaN, text: '' }

/**
 * Formats a Unix time in ms as ISO 8601, and caches the last result, because all trades of a batch have the same time.
 */
export function formatTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}
