import { FEE_RATE } from './constants.ts'
import { ceilSol } from './rounding.ts'
import type { Sol } from './units.ts'

/** Computes the fee for a trade's SOL, rounded up to a lamport. */
export function computeFee(sol: Sol): Sol {
  return ceilSol(sol.mul(FEE_RATE))
}
