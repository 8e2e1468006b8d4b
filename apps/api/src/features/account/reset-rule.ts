import { Decimal } from '@papermoon/amm'

/** SOL: who has a net worth under it may reset. */
export const RESET_BELOW = new Decimal(10)
/** SOL: the net worth after a reset. */
export const RESET_TO = new Decimal(100)
