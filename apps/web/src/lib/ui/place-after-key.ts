const STRIDE = 10

/** Up and right increase, as in any slider. */
export const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowDown', -1],
  ['ArrowRight', 1],
  ['ArrowUp', 1],
  ['PageDown', -STRIDE],
  ['PageUp', STRIDE],
])

/** The place after a key press at `place`, from 0 to `last`; undefined for keys without a meaning. */
export function placeAfterKey(key: string, place: number, last: number): number | undefined {
  const step = STEPS.get(key)
  if (step !== undefined) return Math.min(Math.max(place + step, 0), last)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}
