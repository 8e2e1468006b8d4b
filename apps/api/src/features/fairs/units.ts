import { Decimal, type Sol } from '@papermoon/amm'

const UNITS_PER_SOL = 1_000_000_000
/** Divisor of the stake: a single other player's losses can add at most this part to a score. */
const ALLOWED_PART = 10n

/** Converts the exact decimal text of a column to an integer in units of its last decimal. */
export function toUnits(numeric: string): bigint {
  return BigInt(numeric.replace('.', ''))
}

export function toSol(units: bigint): Sol {
  return new Decimal(units.toString()).div(UNITS_PER_SOL)
}

/** Returns the max that a single other player's losses can add to a score, for the column's stake. */
export function allowedGift(stake: string): bigint {
  return toUnits(stake) / ALLOWED_PART
}
