import { openEventSource } from '../sockets/open-event-source.ts'
import { openSocket, type SocketListener } from '../sockets/open-socket.ts'

/**
 * What a listener receives: all events over `/ws` or `/api/events`, or the events or posts of one token over a tRPC
 * subscription.
 */
export type Kind = 'events' | 'sse' | 'subscriptions' | 'talk'

export interface ListenPlan {
  readonly port: number
  readonly kind: Kind
  readonly tokenId: number
}

const SUBSCRIPTIONS: Partial<Record<Kind, string>> = { subscriptions: 'live.token', talk: 'talk.watch' }

/** Opens one listening connection. */
export async function listen(
  { port, kind, tokenId }: ListenPlan,
  listener: SocketListener,
): Promise<{ close(): void }> {
  if (kind === 'sse') return await openEventSource({ port, path: '/api/events' }, listener)
  const path = SUBSCRIPTIONS[kind]
  const socket = await openSocket({ port, path: path === undefined ? '/ws' : '/trpc' }, listener)
  if (path !== undefined) {
    socket.send(JSON.stringify({ id: 1, method: 'subscription', params: { input: { json: { tokenId } }, path } }))
  }
  return socket
}
