import { openEventSource } from '../sockets/open-event-source.ts'
import { openSocket, type SocketListener } from '../sockets/open-socket.ts'

/** What a listener receives: all events over `/ws` or `/api/events`, or one token's events over a tRPC subscription. */
export type Kind = 'events' | 'sse' | 'subscriptions'

export interface ListenPlan {
  readonly port: number
  readonly kind: Kind
  readonly tokenId: number
}

/** Opens one listening connection. */
export async function listen(
  { port, kind, tokenId }: ListenPlan,
  listener: SocketListener,
): Promise<{ close(): void }> {
  if (kind === 'sse') return await openEventSource({ port, path: '/api/events' }, listener)
  const socket = await openSocket({ port, path: kind === 'events' ? '/ws' : '/trpc' }, listener)
  if (kind === 'subscriptions') {
    const params = { input: { json: { tokenId } }, path: 'live.token' }
    socket.send(JSON.stringify({ id: 1, method: 'subscription', params }))
  }
  return socket
}
