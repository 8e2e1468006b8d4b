import { sql } from 'kysely'

const UNITS = sql`1000000000`

/**
 * SOL of a holding `h` of a token `t` with the pool `p`, in SQL: ⌊real SOL of the pool × bag ÷ all bags⌋₉. What each holder would
 * get if all sold at once at one price. `div` cuts exactly, where a division rounds.
 */
export const POOL_SHARE = sql<string>`
  trunc(div((p.sol_reserve - p.virtual_sol) * h.amount * ${UNITS}, t.supply - p.token_reserve) / ${UNITS}, 9)`
