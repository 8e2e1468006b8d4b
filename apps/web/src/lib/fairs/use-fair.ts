import { createCallsLink } from '@papermoon/client/calls'
import type { AppRouter } from '@papermoon/contract/router'
import { useQuery } from '@tanstack/react-query'
import { createTRPCClient } from '@trpc/client'
import { useEffect, useRef } from 'react'
import { cache, type Fair, type FairRanking, trpc } from '../api/api.ts'
import { coalesced } from '../api/coalesced.ts'
import { getReason } from '../api/failure.ts'
import { queryClient } from '../api/query-client.ts'
import { useFeed } from '../live/follow.ts'

/** Min time between two reads of data that the feed does not contain, in ms. */
const READ_EVERY_MS = 3_000

/**
 * Returns a fair, updated live. The feed contains the fair and the ranking. When the ranking changes, fetches the
 * fair's tokens and the player's holdings again.
 */
export function useFair(id: number, invite?: string) {
  const asked = trpc.fairs.get.useQuery({ id }, { enabled: invite === undefined })
  const invited = useQuery({
    queryKey: ['invited', id, invite],
    queryFn: () => posting.fairs.get.query({ id, invite }),
    enabled: invite !== undefined,
  })
  const query = invite === undefined ? asked : invited
  const own = trpc.fairs.get.useQuery({ id }, { enabled: false })
  // The live feed and the response to an entry update the query without an invite code.
  const fair = own.data ?? query.data
  const isSeen = fair !== undefined && (fair.kind !== 'room' || (fair.me !== null && !fair.me.hasLeft))
  const ranking = trpc.fairs.ranking.useQuery({ id }, { enabled: isSeen })
  // Fetch again shortly after the fair's end, because the last ranking arrives then.
  const isLastDue = fair?.state === 'settled' && ranking.data?.isFinal === false
  const isRunning = fair?.state === 'lobby' || fair?.state === 'open' || isLastDue
  const readMore = useFairReads(id)
  useFeed<{ fair: Fair; ranking: FairRanking }>(isSeen && isRunning ? id : null, {
    subscribe: ({ fairs }, handlers) => fairs.watch.subscribe({ id }, handlers),
    onData: (event) => {
      cache.fairs.get.setData({ id }, event.fair)
      cache.fairs.ranking.setData({ id }, event.ranking)
      readMore()
    },
    resumeAfter: (error) => {
      if (getReason(error) === 'FAIR_NOT_FOUND') forgetFair(id)
      return undefined
    },
  })
  return { fair, ranking: ranking.data, query }
}

/** Fetches a fair again without showing its old data, because the player is no longer in the fair. */
export function forgetFair(id: number): void {
  void cache.fairs.get.reset({ id })
  void queryClient.resetQueries({ queryKey: ['invited', id] })
}

/** Use POST, because servers would log the invite code in the URL of a GET. */
const posting = createTRPCClient<AppRouter>({
  links: [createCallsLink({ url: '/trpc', methodOverride: 'POST' })],
})

/** Fetches again what a fair's feed does not contain, at most every few seconds. */
function useFairReads(id: number): () => void {
  const reads = useRef<ReturnType<typeof coalesced>>(null)
  useEffect(() => {
    reads.current = coalesced(
      () =>
        Promise.all([
          cache.fairs.tokens.invalidate({ id }),
          cache.fairs.bag.invalidate({ id }),
          cache.fairs.trades.invalidate({ id }),
        ]),
      READ_EVERY_MS,
    )
    return () => reads.current?.stop()
  }, [id])
  return () => reads.current?.ask()
}
