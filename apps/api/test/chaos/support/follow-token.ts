import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import superjson from 'superjson'

const RETRY_MS = 50
/** Longer than a node takes to hear of another one's trades. */
const LAST_EVENT_WITHIN_MS = 120_000

/** An event of a token; `tradeId` is null for a rug pull. */
export interface FollowedEvent {
  readonly seq: number
  readonly tradeId: number | null
}

/** What a follower got. */
export interface Followed {
  /** In the order of arrival. */
  readonly events: readonly FollowedEvent[]
  /** Times that its socket was opened again. */
  readonly resumed: number
  /** Sequence numbers that never came, or came out of order. */
  readonly missed: number
}

/** A page that watches one token, as the web app does: when its node goes, it resumes at another one. */
export interface Follower {
  readonly tokenId: number
  /** Resolves once the first node follows. */
  readonly started: Promise<void>
  /** Waits for the event with this number, then ends. Rejects if it does not come. */
  stopAt(seq: number): Promise<Followed>
}

export function followToken(plan: { readonly tokenId: number; urls(): readonly string[] }): Follower {
  const events: FollowedEvent[] = []
  const lastSeq = () => events.at(-1)?.seq ?? 0
  let opened = 0
  let check = () => {}
  const socket = createWSClient({
    url: () => `${plan.urls().at(-1)?.replace('http', 'ws')}/trpc`,
    retryDelayMs: () => RETRY_MS,
    onOpen: () => {
      opened++
    },
  })
  const client = createTRPCClient<AppRouter>({ links: [wsLink<AppRouter>({ client: socket, transformer: superjson })] })
  const { promise: started, resolve: onStarted } = Promise.withResolvers<void>()
  let isStopped = false
  let subscription: { unsubscribe(): void } | null = null
  // As pages do: a server that stops ends its subscriptions, and what it ended is subscribed to again.
  const again = () => {
    if (!isStopped) setTimeout(subscribe, RETRY_MS)
  }
  const subscribe = () => {
    subscription = client.live.token.subscribe(
      { tokenId: plan.tokenId, lastEventId: String(lastSeq()) },
      {
        onStarted: () => onStarted(),
        onData: ({ data }) => {
          events.push({ seq: data.seq, tradeId: data.type === 'trade' ? data.trade.id : null })
          check()
        },
        onComplete: again,
        onError: again,
      },
    )
  }
  subscribe()
  return {
    tokenId: plan.tokenId,
    started,
    stopAt: async (seq) => {
      const { promise: reached, resolve } = Promise.withResolvers<void>()
      check = () => {
        if (lastSeq() >= seq) resolve()
      }
      check()
      const timer = setTimeout(resolve, LAST_EVENT_WITHIN_MS)
      await reached
      clearTimeout(timer)
      isStopped = true
      subscription?.unsubscribe()
      await socket.close()
      const seqs = events.map((event) => event.seq)
      return { events, resumed: opened - 1, missed: countMissed(seqs, seq) }
    },
  }
}

/** Counts numbers from 1 to `last` that are not in their place, and surplus ones. */
function countMissed(seqs: readonly number[], last: number): number {
  const length = Math.max(last, seqs.length)
  return Array.from({ length }, (_, place) => seqs[place] === place + 1).filter((isThere) => !isThere).length
}
