import { Decimal, type Sol, type Tokens } from './units.ts'
import { USD_PER_SOL_WHOLE } from './usd-per-sol.ts'

/** Number of tokens that a launch puts into the pool. */
export const SUPPLY: Tokens = new Decimal(1_000_000_000)
/** Virtual SOL of a new pool. The virtual SOL sets the first price and is never paid out. */
export const VIRTUAL_SOL: Sol = new Decimal(30)
/** Trading fee, as a part of a trade's SOL. The trading fee goes to the treasury. */
export const FEE_RATE: Decimal = new Decimal('0.003')
/** The part of an amount that remains after the trading fee. */
export const KEPT: Decimal = new Decimal(1).sub(FEE_RATE)
/** Launch fee in SOL. The launch fee goes to the treasury. */
export const LAUNCH_FEE: Sol = new Decimal('0.02')
/** SOL that a new player gets. */
export const STARTING_BALANCE: Sol = new Decimal(100)
/** Dollars per SOL. The rate is fixed and used only for display. */
export const USD_PER_SOL: Decimal = new Decimal(USD_PER_SOL_WHOLE)
