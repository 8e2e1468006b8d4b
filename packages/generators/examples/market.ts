import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** A market with constant trading, for programs that wait for events. */
export interface Market {
  /** Creates an API key for a new player with 100 SOL. */
  makeKey(scopes: readonly string[]): Promise<string>
  stop(): Promise<void>
}

const EVERY_MS = 150
const ORDER_MAX_MS = 60_000

/** Launches two tokens and keeps buying the first until stopped. */
export async function keepTrading(url: string): Promise<Market> {
  const creator = await register(url)
  const { id } = await creator.post('/api/tokens/launch', { name: 'Paper Moon', symbol: 'MOON', initialBuyAmount: '1' })
  await creator.post('/api/tokens/launch', { name: 'Honey Moon', symbol: 'HONEY', initialBuyAmount: '2' })
  const stopping = new AbortController()
  const trading = trade()
  async function trade(): Promise<void> {
    while (!stopping.signal.aborted) {
      await creator.post('/api/tokens/buy', { tokenId: id, solAmount: '0.01' })
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  return {
    makeKey: async (scopes) => {
      const player = await register(url)
      const { key } = await player.post('/api/keys', { name: 'guide', scopes })
      return String(key)
    },
    stop: async () => {
      stopping.abort()
      await trading
    },
  }
}

interface Player {
  post(path: string, body: object): Promise<Record<string, unknown>>
}

async function register(url: string): Promise<Player> {
  const name = `guide-${randomUUID().slice(0, 8)}`
  const account = { username: name, email: `${name}@papermoon.example`, wallet: 'none', password: randomUUID() }
  const registered = await send(`${url}/api/auth/register`, account)
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    post: async (path, body) =>
      (await (await send(`${url}${path}`, body, { cookie })).json()) as Record<string, unknown>,
  }
}

async function send(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ORDER_MAX_MS),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}
