import { Decimal } from '@papermoon/amm'

/** SOL: an account with a net worth under this may be reset. */
export const RESET_BELOW = new Decimal(10)
/** SOL: the net worth after a reset. */
export const RESET_TO = new Decimal(100)
