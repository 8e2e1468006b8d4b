import { Decimal } from './decimal.ts'
import { USD_PER_SOL_WHOLE } from './usd-per-sol.ts'

/** Tokens of every launch, all in the pool at first. */
export const SUPPLY = new Decimal(1_000_000_000)
/** SOL beside the supply at launch: sets the price and can never be paid out. */
export const VIRTUAL_SOL = new Decimal(30)
/** Part of the SOL side of every trade that goes to the treasury. */
export const FEE_RATE = new Decimal('0.003')
/** SOL that a launch costs, for the treasury. */
export const LAUNCH_FEE = new Decimal('0.02')
/** SOL that a new player is granted. */
export const STARTING_BALANCE = new Decimal(100)
/** Dollars a SOL is taken to be worth on the screen. */
export const USD_PER_SOL = new Decimal(USD_PER_SOL_WHOLE)
