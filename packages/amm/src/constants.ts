import { Decimal } from './decimal.ts'
import type { Sol, Tokens } from './units.ts'
import { USD_PER_SOL_WHOLE } from './usd-per-sol.ts'

/** Tokens per launch, initially all in the pool. */
export const SUPPLY: Tokens = new Decimal(1_000_000_000)
/** Virtual SOL of a launched pool: sets the initial price and is never paid out. */
export const VIRTUAL_SOL: Sol = new Decimal(30)
/** Fraction of the SOL side of every trade that goes to the treasury. */
export const FEE_RATE: Decimal = new Decimal('0.003')
/** SOL a launch costs; goes to the treasury. */
export const LAUNCH_FEE: Sol = new Decimal('0.02')
/** SOL granted to a new player. */
export const STARTING_BALANCE: Sol = new Decimal(100)
/** Fixed exchange rate for amounts shown in dollars. */
export const USD_PER_SOL: Decimal = new Decimal(USD_PER_SOL_WHOLE)
