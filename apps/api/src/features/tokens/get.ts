import { isFairToken } from '@papermoon/contract/fair-tokens'
import { type Token, token } from '@papermoon/contract/tokens'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { patchToken } from '@papermoon/live'
import { type CachedQuery, isSameMinute } from '../../cache/query-cache.ts'
import type { App, AppPart } from '../../context.ts'
import { joinReads } from '../../lib/join-reads.ts'
import { findFairOfToken } from '../fairs/public.ts'
import { findToken, findTokensByIds } from './store.ts'
import { patchEach, toToken } from './to-token.ts'

/** The cached query for one token. Lists of tokens by id share its results. */
const tokenQuery: CachedQuery<TokenId, Token> = {
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

/** Reads the results for several tokens at once. Leaves out tokens for which there is no result. */
type ReadMany<Output> = (ids: readonly TokenId[]) => Promise<ReadonlyMap<TokenId, Output>>

/** Returns the visible tokens with these ids, in the order of `ids`. */
export async function getTokensByIds(app: App, ids: readonly TokenId[]): Promise<readonly Token[]> {
  return await getEach(app, { query: tokenQuery, ids }, async (missing) => {
    const rows = await findTokensByIds(app.platform.db, missing, app.platform.clock.now())
    return new Map(rows.map((row) => [row.id as TokenId, toToken(row)]))
  })
}

/**
 * Returns the results of a cached query for many tokens, in the order of `ids`. Reads tokens that are not cached
 * together, and leaves out unknown tokens. The list and its items are frozen.
 */
export async function getEach<Output extends object>(
  app: AppPart<'queryCache'>,
  { query, ids }: { readonly query: CachedQuery<TokenId, Output>; readonly ids: readonly TokenId[] },
  readMany: ReadMany<Output>,
): Promise<readonly Output[]> {
  const join = joinReads(async (missing: readonly TokenId[]) => {
    const outputs = await readMany(missing)
    return missing.map((id) => outputs.get(id))
  })
  const readOne = async (id: TokenId) => {
    const output = await join(id)
    if (output === undefined) throw new TokenNotFoundError()
    return output
  }
  const found = await Promise.all(
    ids.map((id) =>
      app.market.queryCache
        .get(query, id, () => readOne(id))
        .catch((error: unknown) => {
          if (error instanceof TokenNotFoundError) return null
          throw error
        }),
    ),
  )
  return Object.freeze(found.filter((output) => output !== null))
}
