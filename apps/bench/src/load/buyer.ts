import { openSocket } from '../sockets/open-socket.ts'
import { HttpConnection } from './http-connection.ts'
import type { OrderPlan, Transport } from './plans.ts'

/** SOL of each buy. This amount is small, so that the players' SOL lasts for the whole bench. */
const BUY_SOL = '0.001'

/** A player on a transport, who places one order at a time. */
export interface Buyer {
  /**
   * Places a buy. The promise resolves when the buy is executed. The promise rejects if the server rejects the buy or
   * the connection ends.
   */
  buy(key: string): Promise<void>
  close(): void
}

/** Connects a player to the server by the plan's transport. */
export async function openBuyer(
  { port, transport, tokenId }: Pick<OrderPlan, 'port' | 'transport' | 'tokenId'>,
  cookie: string,
): Promise<Buyer> {
  if (transport === 'trpc-socket') return await openSocketBuyer(port, tokenId, cookie)
  const connection = await HttpConnection.open(port)
  return {
    buy: async (key) => {
      const status = await connection.send(buyRequest(transport, { port, tokenId, cookie, key }))
      if (status !== 200) throw new Error(`${status} for an order over ${transport}`)
    },
    close: () => connection.close(),
  }
}

async function openSocketBuyer(port: number, tokenId: number, cookie: string): Promise<Buyer> {
  let waiting: PromiseWithResolvers<void> | null = null
  let calls = 0
  const socket = await openSocket(
    { port, path: '/trpc', cookie },
    {
      // Do not parse responses, because parsing would cost the load generator more than the responses cost the server.
      text: (payload) => {
        if (payload.indexOf('"result"') >= 0) waiting?.resolve()
        else waiting?.reject(new Error(payload.toString('utf8', 0, 500)))
      },
      lost: (reason) => waiting?.reject(new Error(reason)),
    },
  )
  return {
    buy: (key) => {
      waiting = Promise.withResolvers()
      socket.send(buyCall(++calls, { tokenId, key }))
      return waiting.promise
    },
    close: () => socket.close(),
  }
}

interface BuyMessage {
  readonly port: number
  readonly tokenId: number
  readonly cookie: string
  /** The order's idempotency key. */
  readonly key: string
}

/** Formats a buy as an HTTP request with session and idempotency key, as usual clients of the transport do. */
function buyRequest(transport: Exclude<Transport, 'trpc-socket'>, { port, tokenId, cookie, key }: BuyMessage): string {
  const order = { tokenId, solAmount: BUY_SOL }
  const headers = [`Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`]
  if (transport === 'trpc') {
    // `httpBatchLink` sends a single call as a batch of one call.
    return formatPost('/trpc/trading.buy?batch=1', { 0: { json: { ...order, requestId: key } } }, headers)
  }
  return formatPost(transport === 'rest' ? '/api/tokens/buy' : '/', order, [...headers, `Idempotency-Key: ${key}`])
}

/** Formats a buy as a message in tRPC's WebSocket protocol, as `wsLink` does. */
function buyCall(id: number, { tokenId, key }: Pick<BuyMessage, 'tokenId' | 'key'>): string {
  const input = { json: { tokenId, solAmount: BUY_SOL, requestId: key } }
  return JSON.stringify({ id, method: 'mutation', params: { input, path: 'trading.buy' } })
}

function formatPost(path: string, body: object, headers: readonly string[]): string {
  const text = JSON.stringify(body)
  const all = [...headers, 'Content-Type: application/json', `Content-Length: ${text.length}`]
  return [`POST ${path} HTTP/1.1`, ...all, '', text].join('\r\n')
}
