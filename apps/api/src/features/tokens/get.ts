import { isFairToken } from '@papermoon/contract/fairs'
import type { Token } from '@papermoon/contract/tokens'
import { token } from '@papermoon/contract/tokens'
import type { TokenId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { patchToken } from '@papermoon/live'
import { type CachedQuery, isSameMinute } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { findFairOfToken } from '../fairs/public.ts'
import { patchEach } from './patch-each.ts'
import { findToken } from './store.ts'
import { toToken } from './to-token.ts'

/** The cached query for one token. Lists by id use its results, too. */
export const tokenQuery: CachedQuery<TokenId, Token> = {
  name: 'token',
  schema: token,
  key: String,
  weight: () => 1,
  isFresh: isSameMinute,
  scope: (id) => id,
  applyEvents: patchEach(patchToken),
}

export async function getToken(app: App, id: TokenId): Promise<Token> {
  return await app.market.queryCache.get(tokenQuery, id, async () => {
    const row = await findToken(app.platform.db, id, app.platform.clock.now())
    if (row === undefined) throw new TokenNotFoundError()
    const fair = isFairToken(id) ? await findFairOfToken(app, id) : null
    return { ...toToken(row), ...(fair !== null && { fairId: fair.id }) }
  })
}
