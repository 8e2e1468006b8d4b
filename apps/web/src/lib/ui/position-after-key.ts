const STRIDE = 10

/** The step of each arrow key. As in any slider, up and right increase the value. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowDown', -1],
  ['ArrowRight', 1],
  ['ArrowUp', 1],
  ['PageDown', -STRIDE],
  ['PageUp', STRIDE],
])

/**
 * Returns the position after a key press at `position`. Positions go from 0 to `last`. Returns undefined for keys
 * without a meaning.
 */
export function positionAfterKey(key: string, position: number, last: number): number | undefined {
  const step = STEPS.get(key)
  if (step !== undefined) return Math.min(Math.max(position + step, 0), last)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}
