import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient, createWSClient, httpBatchLink, wsLink } from '@trpc/client'
import superjson from 'superjson'
import { WebSocket } from 'ws'
import type { RestPlayer } from './rest-player.ts'

/** The same player over tRPC's two transports. */
export interface TrpcPlayer {
  readonly overHttp: ReturnType<typeof createTRPCClient<AppRouter>>
  readonly overSocket: ReturnType<typeof createTRPCClient<AppRouter>>
  close(): Promise<void>
}

/** Over HTTP, calls made in one turn of the event loop become one batch. */
export function trpcPlayer(url: string, { cookie }: RestPlayer): TrpcPlayer {
  class SignedInSocket extends WebSocket {
    constructor(address: string | URL) {
      super(address, { headers: { cookie } })
    }
  }
  const socket = createWSClient({ url: `${url.replace('http', 'ws')}/trpc`, WebSocket: SignedInSocket as never })
  const http = { url: `${url}/trpc`, transformer: superjson, headers: { cookie }, maxItems: 20 }
  return {
    overHttp: createTRPCClient<AppRouter>({ links: [httpBatchLink<AppRouter>(http)] }),
    overSocket: createTRPCClient<AppRouter>({ links: [wsLink<AppRouter>({ client: socket, transformer: superjson })] }),
    close: () => socket.close(),
  }
}
