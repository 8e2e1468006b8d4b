import type { TokenId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import type { CachedQuery } from '../../../cache/query-cache.ts'
import type { AppPart } from '../../../context.ts'

/** Reads the results of several tokens at once; tokens without one are missing. */
type ReadMany<Output> = (ids: readonly TokenId[]) => Promise<ReadonlyMap<TokenId, Output>>

/**
 * A cached query of many tokens, in the order of `ids`; uncached tokens are read together. Unknown tokens are
 * left out. The list is frozen, as its items are.
 */
export async function getEach<Output extends object>(
  app: AppPart<'queryCache'>,
  { query, ids }: { readonly query: CachedQuery<TokenId, Output>; readonly ids: readonly TokenId[] },
  readMany: ReadMany<Output>,
): Promise<readonly Output[]> {
  const readOne = combineReads(readMany)
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

/** Combines the reads that are started in one turn. Throws `TokenNotFoundError` for a token without a result. */
function combineReads<Output>(readMany: ReadMany<Output>): (id: TokenId) => Promise<Output> {
  let next: { readonly ids: TokenId[]; readonly results: Promise<ReadonlyMap<TokenId, Output>> } | null = null
  return async (id) => {
    if (next === null) {
      const ids: TokenId[] = []
      const results = Promise.resolve().then(() => {
        next = null
        return readMany(ids)
      })
      next = { ids, results }
    }
    next.ids.push(id)
    const result = (await next.results).get(id)
    if (result === undefined) throw new TokenNotFoundError()
    return result
  }
}
