let last = { ms: Number.NaN, text: '' }

/** A time in ISO 8601. The last one is remembered: the trades of a batch share theirs. */
export function timeText(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}
