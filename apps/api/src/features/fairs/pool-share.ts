import { sql } from 'kysely'

const UNITS = sql`1000000000`

/**
 * SQL for the pool share of a holding `h` of a token `t` with the pool `p`: ⌊real SOL of the pool × holding ÷ all
 * holdings⌋₉, in SOL. Each holder would get this if all sold at once at one price. `div` truncates exactly, while a
 * division would round.
 */
export const POOL_SHARE = sql<string>`
  trunc(div((p.sol_reserve - p.virtual_sol) * h.amount * ${UNITS}, t.supply - p.token_reserve) / ${UNITS}, 9)`
