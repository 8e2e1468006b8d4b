import { Decimal, type Pool, realSol, solText, tokensText } from '@papermoon/amm'
import type { PoolsTable } from '@papermoon/db'
import type { PoolState } from '@papermoon/engine'
import type { Selectable } from 'kysely'

/** Formats a pool's reserves for the API. */
export function toPoolState(pool: Pool): PoolState {
  return { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: solText(realSol(pool)) }
}

/** Converts columns of `pools` to a pool. */
export function toPool(row: Pick<Selectable<PoolsTable>, 'sol_reserve' | 'virtual_sol' | 'token_reserve'>): Pool {
  return {
    sol: new Decimal(row.sol_reserve),
    virtualSol: new Decimal(row.virtual_sol),
    tokens: new Decimal(row.token_reserve),
  }
}
