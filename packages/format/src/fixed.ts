/**
 * An exact decimal: `units` × 10^-`scale`. Code for formatting uses it instead of decimal.js, so that the first screen
 * need not load decimal.js.
 */
export interface Fixed {
  readonly units: bigint
  readonly scale: number
}

/**
 * `down` rounds towards zero, `floor` rounds towards minus infinity, and `half-up` rounds to the nearest number, with
 * ties away from zero.
 */
export type Rounding = 'down' | 'floor' | 'half-up'

/** Decimal text from the API or from an input field, such as `1.` or `1.5`. */
const PLAIN = /^-?\d+\.?\d*$/

/** Parses plain decimal text (without exponent or plus sign). Throws a `SyntaxError` for anything else. */
export function parseFixed(text: string): Fixed {
  if (!PLAIN.test(text)) throw new SyntaxError(`Not a plain decimal: ${text}`)
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length }
}

/** Divides exactly by 10^`places`. */
export function divideByTens({ units, scale }: Fixed, places: number): Fixed {
  return { units, scale: scale + places }
}

/** Multiplies exactly by a whole number. */
export function multiply({ units, scale }: Fixed, factor: bigint): Fixed {
  return { units: units * factor, scale }
}

export function absolute({ units, scale }: Fixed): Fixed {
  return { units: units < 0n ? -units : units, scale }
}

/** Returns whether `value` is less than `limit` (plain decimal text). */
export function isBelow(value: Fixed, limit: string): boolean {
  return compareUnits(value, limit) < 0n
}

/** Returns whether `value` is greater than `limit` (plain decimal text). */
export function isAbove(value: Fixed, limit: string): boolean {
  return compareUnits(value, limit) > 0n
}

/** Formats `value` with exactly `decimals` decimals. */
export function formatFixed(value: Fixed, decimals: number, rounding: Rounding): string {
  const units = roundUnits(value, decimals, rounding)
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const size = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return units < 0n ? `-${size}` : size
}

/** Returns `part` as a percentage of `whole`, truncated to `decimals`. Throws a `RangeError` when `whole` is 0. */
export function toPercent(part: Fixed, whole: Fixed, decimals: number): Fixed {
  const scale = Math.max(part.scale, whole.scale)
  return { units: (toUnits(part, scale) * 10n ** BigInt(decimals + 2)) / toUnits(whole, scale), scale: decimals }
}

function compareUnits(value: Fixed, limit: string): bigint {
  const other = parseFixed(limit)
  const scale = Math.max(value.scale, other.scale)
  return toUnits(value, scale) - toUnits(other, scale)
}

/** Returns `value` in units of 10^-`scale`. `scale` must be at least the scale of `value`. */
function toUnits(value: Fixed, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale)
}

function roundUnits(value: Fixed, decimals: number, rounding: Rounding): bigint {
  if (value.scale <= decimals) return toUnits(value, decimals)
  const unit = 10n ** BigInt(value.scale - decimals)
  const cut = value.units / unit
  const rest = value.units % unit
  const away = value.units < 0n ? -1n : 1n
  if (rounding === 'floor') return rest < 0n ? cut - 1n : cut
  if (rounding === 'half-up') return 2n * rest * away >= unit ? cut + away : cut
  return cut
}
