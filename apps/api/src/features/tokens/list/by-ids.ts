import type { Token } from '@papermoon/contract/tokens'
import type { TokenId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { tokenQuery } from '../get.ts'
import { findTokensByIds } from '../store.ts'
import { toToken } from '../to-token.ts'
import { getEach } from './get-each.ts'

/** Returns the visible tokens among these, in the order of `ids`. */
export async function getTokensByIds(app: App, ids: readonly TokenId[]): Promise<readonly Token[]> {
  return await getEach(app, { query: tokenQuery, ids }, async (missing) => {
    const rows = await findTokensByIds(app.platform.db, missing, app.platform.clock.now())
    return new Map(rows.map((row) => [row.id as TokenId, toToken(row)]))
  })
}
