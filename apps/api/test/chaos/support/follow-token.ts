import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import superjson from 'superjson'

const RETRY_MS = 50
/** Max time to wait for the last event. A node receives another node's trades much sooner. */
const LAST_EVENT_WITHIN_MS = 120_000

/** An event of a token; `tradeId` is null for a rug pull. */
export interface FollowedEvent {
  readonly seq: number
  readonly tradeId: number | null
}

/** The result of following a token. */
export interface Followed {
  /** In the order of arrival. */
  readonly events: readonly FollowedEvent[]
  /** How many times the follower had to connect again. */
  readonly resumed: number
  /** Number of sequence numbers that are missing or out of order. */
  readonly missed: number
}

/** A page that follows one token, like the web app: if its node stops, it resumes at another one. */
export interface Follower {
  readonly tokenId: number
  /** Resolves once the follower is connected to the first node. */
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
  // Like the web app, subscribe again when a stopping server has ended the subscription.
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

/** Counts the numbers from 1 to `last` that are missing or out of order, and surplus ones. */
function countMissed(seqs: readonly number[], last: number): number {
  const length = Math.max(last, seqs.length)
  return Array.from({ length }, (_, place) => seqs[place] === place + 1).filter((isThere) => !isThere).length
}
