import { Decimal, type Sol } from '@papermoon/amm'

const UNITS_PER_SOL = 1_000_000_000
/** Divides the stake: one other player's losses can give at most this part. */
const ALLOWED_PART = 10n

/** Exact decimal text of a column with a fixed number of decimals, in units of the last. */
export function toUnits(numeric: string): bigint {
  return BigInt(numeric.replace('.', ''))
}

export function toSol(units: bigint): Sol {
  return new Decimal(units.toString()).div(UNITS_PER_SOL)
}

/** What a score keeps of a single other player's losses, for the stake as its column has it. */
export function allowedGift(stake: string): bigint {
  return toUnits(stake) / ALLOWED_PART
}
