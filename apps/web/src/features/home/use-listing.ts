import { useMemo } from 'react'
import { type Token, trpc } from '../../lib/api.ts'
import { LISTING } from '../../lib/live-cache.ts'
import { useThrottled } from '../../lib/use-throttled.ts'
import { isMoving, type Sort, selectTokens } from './sorts.ts'

/** Cards change places at most this often: nobody can press what jumps about. */
const REORDER_MS = 1_500
const NONE: readonly Token[] = []

/** The listing as searched and sorted. Figures are live; an order that trades can change settles now and then. */
export function useListing(search: string, sort: Sort) {
  const query = trpc.tokens.list.useQuery(LISTING)
  const tokens = query.data?.tokens ?? NONE
  const settled = useThrottled(tokens, isMoving(sort) ? REORDER_MS : 0)
  const ids = useMemo(() => selectTokens(settled, search, sort).map((token) => token.id), [settled, search, sort])
  const shown = useMemo(() => {
    const byId = new Map(tokens.map((token) => [token.id, token]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }, [ids, tokens])
  return { query, shown }
}
