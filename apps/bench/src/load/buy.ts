import { randomUUID } from 'node:crypto'
import { call } from './call.ts'

/** SOL of each buy. This amount is small, so that the players' SOL lasts for the whole bench. */
const SOL_AMOUNT = '0.001'

export interface Buy {
  readonly tokenId: number
  readonly cookie: string | undefined
}

/** Formats a buy as a REST call with an idempotency key, as usual clients do. */
export function toRestBuy({ tokenId, cookie }: Buy) {
  const headers = { 'idempotency-key': randomUUID() }
  return { path: '/api/tokens/buy', cookie, headers, body: JSON.stringify({ tokenId, solAmount: SOL_AMOUNT }) }
}

/** Formats a buy as a call in a batch of one call, as tRPC's `httpBatchLink` does. */
export function toTrpcBuy({ tokenId, cookie }: Buy) {
  const body = JSON.stringify({ 0: toTrpcInput(tokenId) })
  return { path: '/trpc/trading.buy?batch=1', cookie, headers: {}, body }
}

/** Formats a buy as a message in tRPC's WebSocket protocol, as `wsLink` does. */
export function toSocketBuy(id: number, tokenId: number): string {
  return JSON.stringify({ id, method: 'mutation', params: { input: toTrpcInput(tokenId), path: 'trading.buy' } })
}

function toTrpcInput(tokenId: number) {
  return { json: { tokenId, solAmount: SOL_AMOUNT, requestId: randomUUID() } }
}

/** Buys over REST, on `path` if the server has another path for orders. Returns how long the buy takes, in ms. */
export async function buyOnce(port: number, buy: Buy, path?: string): Promise<number> {
  const order = toRestBuy(buy)
  const sentMs = performance.now()
  await (await call(port, path ?? order.path, order)).arrayBuffer()
  return performance.now() - sentMs
}
