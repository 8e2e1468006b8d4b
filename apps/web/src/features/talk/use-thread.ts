import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { client, type Post } from '../../lib/api/api.ts'
import type { LivePost } from './use-posts.ts'

const PAGE = 100

interface ThreadWanted {
  readonly post: LivePost
  /** Replies that arrived as events. */
  readonly replies: readonly LivePost[]
  readonly isOpen: boolean
  /** Id of the reply in the URL, or 0. Pages are loaded until they contain this reply. */
  readonly sought: number
}

/** Returns the replies to a post, oldest first. */
export function useThread({ post, replies, isOpen, sought }: ThreadWanted) {
  const query = useInfiniteQuery({
    queryKey: ['replies', post.id],
    queryFn: ({ pageParam }) =>
      client.talk.thread.query({ id: post.id, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as Post['id'] | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: isOpen && post.replies > 0,
  })
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
