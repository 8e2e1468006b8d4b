import { useEffect, useEffectEvent } from 'react'
import { trpc } from '../../lib/api/api.ts'
import type { LivePost } from './use-posts.ts'

const PAGE = 100

interface ThreadWanted {
  readonly post: LivePost
  /** Replies from events. */
  readonly replies: readonly LivePost[]
  readonly isOpen: boolean
  /** Id of the reply that the URL names; pages are loaded until it is there. 0: none. */
  readonly sought: number
}

/** The replies to a post, oldest first. */
export function useThread({ post, replies, isOpen, sought }: ThreadWanted) {
  const query = trpc.talk.thread.useInfiniteQuery(
    { id: post.id, limit: PAGE },
    { enabled: isOpen && post.replies > 0, getNextPageParam: ({ nextCursor }) => nextCursor },
  )
  const pages = query.data?.pages ?? []
  const next = pages.at(-1)?.nextCursor ?? null
  const loadMore = () => void query.fetchNextPage()
  const findSought = useEffectEvent(() => {
    if (next !== null && sought > next) loadMore()
  })
  useEffect(() => findSought(), [sought, next])
  const all = new Map<number, LivePost>(pages.flatMap(({ posts }) => posts.map((reply) => [reply.id, reply])))
  for (const reply of replies) all.set(reply.id, { ...all.get(reply.id), ...reply })
  return { replies: [...all.values()], loadMore: next === null ? null : loadMore }
}
