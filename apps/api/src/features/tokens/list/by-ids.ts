import type { TokenId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { tokenQuery } from '../get.ts'
import type { Token } from '../schemas.ts'
import { findTokensByIds } from '../store.ts'
import { toToken } from '../to-token.ts'
import { getEach } from './get-each.ts'

/** Tokens that cost as much as one more read. */
const TOKENS_PER_READ = 50

/** Reads that a call costs beside the call itself; `input` is not validated yet. */
export function countReadsByIds(input: unknown): number {
  const { ids } = Object(input) as { ids?: unknown }
  return typeof ids === 'string' ? Math.floor(ids.split(',', 4 * TOKENS_PER_READ).length / TOKENS_PER_READ) : 0
}

/** The visible ones of these tokens, in the order of `ids`. */
export async function getTokensByIds(app: App, ids: readonly TokenId[]): Promise<readonly Token[]> {
  return await getEach(app, { query: tokenQuery, ids }, async (missing) => {
    const rows = await findTokensByIds(app.db, missing, app.clock.now())
    return new Map(rows.map((row) => [row.id as TokenId, toToken(row)]))
  })
}
