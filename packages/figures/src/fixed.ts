/**
 * An exact decimal, `units` of 10^-`scale` each. Figures only compare, round and multiply by whole numbers: integers do
 * that without the arithmetic library, which the first screen then does not load.
 */
export interface Fixed {
  readonly units: bigint
  readonly scale: number
}

/** `down`: towards zero; `floor`: towards minus infinity; `half-up`: to the nearest, a tie away from zero. */
export type Rounding = 'down' | 'floor' | 'half-up'

/** As the wire has it, or as somebody types it: nothing need follow the point. */
const PLAIN = /^-?\d+\.?\d*$/

/** Reads plain decimal text. Throws a `SyntaxError` for anything else. */
export function fixedOf(text: string): Fixed {
  if (!PLAIN.test(text)) throw new SyntaxError(`${text} is no plain decimal`)
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length }
}

/** `value` divided by 10^`places`, exactly. */
export function dividedByTens({ units, scale }: Fixed, places: number): Fixed {
  return { units, scale: scale + places }
}

/** `value` times a whole number. */
export function times({ units, scale }: Fixed, factor: bigint): Fixed {
  return { units: units * factor, scale }
}

export function absolute({ units, scale }: Fixed): Fixed {
  return { units: units < 0n ? -units : units, scale }
}

/** Whether `value` is below a plain decimal text. */
export function isBelow(value: Fixed, limit: string): boolean {
  return difference(value, limit) < 0n
}

/** Whether `value` is above a plain decimal text. */
export function isAbove(value: Fixed, limit: string): boolean {
  return difference(value, limit) > 0n
}

/** `value` as text with exactly `decimals` decimals. */
export function fixedText(value: Fixed, decimals: number, rounding: Rounding): string {
  const units = roundedUnits(value, decimals, rounding)
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const size = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return units < 0n ? `-${size}` : size
}

/** `part` in percent of `whole`, which is not 0, cut to `decimals`. */
export function percentOf(part: Fixed, whole: Fixed, decimals: number): Fixed {
  const scale = Math.max(part.scale, whole.scale)
  return { units: (unitsAt(part, scale) * 10n ** BigInt(decimals + 2)) / unitsAt(whole, scale), scale: decimals }
}

function difference(value: Fixed, limit: string): bigint {
  const other = fixedOf(limit)
  const scale = Math.max(value.scale, other.scale)
  return unitsAt(value, scale) - unitsAt(other, scale)
}

/** How many units of 10^-`scale` a value is; no digit is lost where `scale` is at least its own. */
function unitsAt(value: Fixed, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale)
}

function roundedUnits(value: Fixed, decimals: number, rounding: Rounding): bigint {
  if (value.scale <= decimals) return unitsAt(value, decimals)
  const unit = 10n ** BigInt(value.scale - decimals)
  const cut = value.units / unit
  const rest = value.units % unit
  const away = value.units < 0n ? -1n : 1n
  if (rounding === 'floor') return rest < 0n ? cut - 1n : cut
  if (rounding === 'half-up') return 2n * rest * away >= unit ? cut + away : cut
  return cut
}
