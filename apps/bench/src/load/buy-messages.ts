import type { Door } from './order-plan.ts'

/** SOL of each buy: so little that no player runs out of it while a bench lasts. */
const BUY_SOL = '0.001'

/** A buy to be written down for a door. */
export interface BuyMessage {
  readonly port: number
  readonly tokenId: number
  readonly cookie: string
  /** The order's idempotency key. */
  readonly key: string
}

/** A buy as an HTTP request, head and body: with a session and an idempotency key, in the form that the door's own clients send. */
export function buyRequest(door: Exclude<Door, 'trpc-socket'>, { port, tokenId, cookie, key }: BuyMessage): string {
  const order = { tokenId, solAmount: BUY_SOL }
  if (door === 'trpc') {
    // The batch of one that `httpBatchLink` makes of a call.
    const body = JSON.stringify({ 0: { json: { ...order, requestId: key } } })
    return formatPost('/trpc/trading.buy?batch=1', body, [`Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`])
  }
  const headers = [`Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`, `Idempotency-Key: ${key}`]
  return formatPost(door === 'rest' ? '/api/tokens/buy' : '/', JSON.stringify(order), headers)
}

/** A buy as a message of tRPC's WebSocket protocol, as `wsLink` writes it. */
export function buyCall(id: number, { tokenId, key }: Pick<BuyMessage, 'tokenId' | 'key'>): string {
  const input = { json: { tokenId, solAmount: BUY_SOL, requestId: key } }
  return JSON.stringify({ id, method: 'mutation', params: { input, path: 'trading.buy' } })
}

function formatPost(path: string, body: string, headers: readonly string[]): string {
  const all = [...headers, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  return [`POST ${path} HTTP/1.1`, ...all, '', body].join('\r\n')
}
