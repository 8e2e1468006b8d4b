import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { client, type Post, type TokenId, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useFeed } from '../../lib/live/follow.ts'

/** The topic of posts: a token, or a fair's lobby. */
export type Topic = { readonly tokenId: TokenId } | { readonly fairId: number }

/** A post in the form that events contain, without the visitor's own reaction. */
export type LivePost = Omit<Post, 'reaction'> & Partial<Pick<Post, 'reaction'>>

/** Max number of posts in memory. Older posts are loaded again when the visitor scrolls down. */
const KEPT_MAX = 500
const PAGE = 30

export function usePosts(topic: Topic) {
  const user = useCurrentUser()
  const query = trpc.talk.list.useQuery({ ...topic, limit: PAGE }, { staleTime: 0 })
  const blocked = trpc.follows.list.useQuery(undefined, { enabled: user !== null }).data?.blocked
  const [known, setKnown] = useState<ReadonlyMap<number, LivePost>>(new Map())
  const [cursor, setCursor] = useState<Post['id'] | null>()
  const put = useCallback((post: LivePost) => setKnown((before) => withPost(before, post)), [])
  useFeed<{ post: Post }>(JSON.stringify(topic), {
    subscribe: ({ talk }, handlers, lastEventId) => talk.watch.subscribe({ ...topic, lastEventId }, handlers),
    // Keep the visitor's own reaction, which events do not contain because everyone gets the same event.
    onData: ({ post: { reaction: _, ...post } }) => put(post),
    // Fetch the list again, because events do not include changes between the list and the subscription.
    onBegin: () => void query.refetch(),
  })
  const all = new Map<number, LivePost>(query.data?.posts.map((post) => [post.id, post]))
  for (const [id, post] of known) all.set(id, { ...all.get(id), ...post })
  const isWanted = ({ writer }: LivePost) => blocked?.some(({ id }) => id === writer.id) !== true
  const shown = [...all.values()].filter((post) => isReadable(post, user?.id) && isWanted(post))
  const next = cursor === undefined ? (query.data?.nextCursor ?? null) : cursor
  const older = useMutation({
    mutationFn: (before: Post['id']) => client.talk.list.query({ ...topic, limit: PAGE, cursor: before }),
    meta: { failure: 'Could not load older posts' },
    onSuccess: (page) => {
      setCursor(page.nextCursor)
      for (const post of page.posts) put(post)
    },
  })
  const loadOlder = () => {
    if (next !== null && !older.isPending) older.mutate(next)
  }
  return {
    /** Posts without replies, newest first. */
    posts: shown.filter(({ parentId }) => parentId === null).sort((a, b) => b.id - a.id),
    /** Replies that have arrived since the page opened, oldest first, by the post that they reply to. */
    replies: groupReplies(shown),
    query,
    /** Adds the player's own post, or updates a post with a response. */
    put,
    /** Id of the oldest loaded post. The next page begins after this post. */
    next,
    loadOlder,
  }
}

/** Returns the URL's fragment (the part after `#`) that links to a post or a reply. */
export function toPostHash({ id, parentId }: { readonly id: number; readonly parentId: number | null }): string {
  return `post-${parentId === null ? '' : `${parentId}-`}${id}`
}

function withPost(before: ReadonlyMap<number, LivePost>, post: LivePost): ReadonlyMap<number, LivePost> {
  const after = new Map(before)
  after.set(post.id, { ...before.get(post.id), ...post })
  const [oldest] = after.keys()
  if (after.size > KEPT_MAX && oldest !== undefined) after.delete(oldest)
  return after
}

function isReadable({ state, replies, writer }: LivePost, userId: number | undefined): boolean {
  return state === 'shown' || replies > 0 || (state !== 'deleted' && writer.id === userId)
}

function groupReplies(posts: readonly LivePost[]): Map<number, LivePost[]> {
  const groups = new Map<number, LivePost[]>()
  for (const post of [...posts].sort((a, b) => a.id - b.id)) {
    if (post.parentId !== null) groups.set(post.parentId, [...(groups.get(post.parentId) ?? []), post])
  }
  return groups
}
