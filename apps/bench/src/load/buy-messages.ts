import type { Transport } from './order-plan.ts'

/** SOL of each buy, small enough for the whole bench. */
const BUY_SOL = '0.001'

export interface BuyMessage {
  readonly port: number
  readonly tokenId: number
  readonly cookie: string
  /** The order's idempotency key. */
  readonly key: string
}

/** Formats a buy as an HTTP request with session and idempotency key, as the transport's usual clients send it. */
export function buyRequest(
  transport: Exclude<Transport, 'trpc-socket'>,
  { port, tokenId, cookie, key }: BuyMessage,
): string {
  const order = { tokenId, solAmount: BUY_SOL }
  if (transport === 'trpc') {
    // `httpBatchLink` sends a single call as a batch of one.
    const body = JSON.stringify({ 0: { json: { ...order, requestId: key } } })
    return formatPost('/trpc/trading.buy?batch=1', body, [`Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`])
  }
  const headers = [`Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`, `Idempotency-Key: ${key}`]
  return formatPost(transport === 'rest' ? '/api/tokens/buy' : '/', JSON.stringify(order), headers)
}

/** Formats a buy as a message of tRPC's WebSocket protocol, as `wsLink` does. */
export function buyCall(id: number, { tokenId, key }: Pick<BuyMessage, 'tokenId' | 'key'>): string {
  const input = { json: { tokenId, solAmount: BUY_SOL, requestId: key } }
  return JSON.stringify({ id, method: 'mutation', params: { input, path: 'trading.buy' } })
}

function formatPost(path: string, body: string, headers: readonly string[]): string {
  const all = [...headers, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  return [`POST ${path} HTTP/1.1`, ...all, '', body].join('\r\n')
}
