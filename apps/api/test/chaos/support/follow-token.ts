import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import superjson from 'superjson'
import type { AppRouter } from '../../../src/router.ts'

const RETRY_MS = 50
/** Longer than a node takes to hear of another one's trades. */
const LAST_EVENT_WITHIN_MS = 120_000

/** What a follower got. */
export interface Followed {
  readonly events: number
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
  const seqs: number[] = []
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
      { tokenId: plan.tokenId, lastEventId: String(seqs.at(-1) ?? 0) },
      {
        onStarted: () => onStarted(),
        onData: ({ data }) => {
          seqs.push(data.seq)
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
        if ((seqs.at(-1) ?? 0) >= seq) resolve()
      }
      check()
      const timer = setTimeout(resolve, LAST_EVENT_WITHIN_MS)
      await reached
      clearTimeout(timer)
      isStopped = true
      subscription?.unsubscribe()
      await socket.close()
      return { events: seqs.length, resumed: opened - 1, missed: countMissed(seqs, seq) }
    },
  }
}

/** Numbers of 1 to `last` that did not come in their place. */
function countMissed(seqs: readonly number[], last: number): number {
  let missed = 0
  for (let place = 0; place < Math.max(last, seqs.length); place++) if (seqs[place] !== place + 1) missed++
  return missed
}
