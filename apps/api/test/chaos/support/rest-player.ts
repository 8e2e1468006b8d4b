import { randomUUID } from 'node:crypto'
import type { Trade } from '@papermoon/engine'

/** A request that takes longer than this counts as hanging. */
const ANSWER_MAX_MS = 30_000

/** Sends a request, like `fetch`. */
export type Ask = (url: string, init: RequestInit) => Promise<Response>

/** A response over REST. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON, or the text if the response is not JSON. */
  readonly body: unknown
}

/** The response to a buy or a sale, as far as tests use it. */
export interface TradeAnswer {
  readonly trade: Trade
  readonly newPrice: string
  readonly position: { readonly balance: string; readonly amount: string; readonly cost: string }
}

/** The body of an order over REST. */
export type RestOrder =
  | { readonly tokenId: number; readonly solAmount: string }
  | { readonly tokenId: number; readonly tokenAmount: string }

/** A signed-in player over REST. */
export interface RestPlayer {
  readonly id: number
  readonly cookie: string
  /** Places an order. Rejects without a response. `at` is another server with the same database. */
  order(order: RestOrder, key: string, at?: string): Promise<Answer>
  /** Places an order that launches a token. */
  orderLaunch(name: string, key: string, at?: string): Promise<Answer>
  /** Launches a token and returns its id. */
  launch(name: string): Promise<number>
}

/** Registers a player. `ask` sends the requests; by default, it is `fetch`. */
export async function registerPlayer(url: string, ask: Ask = fetch): Promise<RestPlayer> {
  const name = randomUUID().slice(0, 12)
  const registration = { username: name, email: `${name}@papermoon.example`, wallet: 'wallet', password: 'secret-1' }
  const registered = await post(ask, `${url}/api/auth/register`, registration)
  if (registered.status !== 201) throw new Error(`not registered: ${registered.status} ${registered.body}`)
  const cookie = registered.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  const me = (await answerTo(ask, `${url}/api/auth/user`, { headers: { cookie } })).body as { id: number }
  const orderLaunch = (token: string, key: string, at = url) =>
    post(ask, `${at}/api/tokens/launch`, { name: token, symbol: 'PROOF' }, { cookie, 'idempotency-key': key })
  return {
    id: me.id,
    cookie,
    order: (order, key, at = url) =>
      post(ask, `${at}/api/tokens/${'solAmount' in order ? 'buy' : 'sell'}`, order, { cookie, 'idempotency-key': key }),
    orderLaunch,
    launch: async (token) => {
      const launched = await orderLaunch(token, randomUUID())
      if (launched.status !== 201) throw new Error(`not launched: ${launched.status} ${launched.body}`)
      return (launched.body as { id: number }).id
    },
  }
}

/** Returns the JSON at a URL. */
export async function getJson<Body>(url: string): Promise<Body> {
  return (await get(url)).body as Body
}

/** Reads a URL as a guest. Rejects without a response. */
export function get(url: string): Promise<Answer> {
  return answerTo(fetch, url, {})
}

function post(ask: Ask, url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return answerTo(ask, url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

async function answerTo(ask: Ask, url: string, init: RequestInit): Promise<Answer> {
  const response = await ask(url, { ...init, signal: AbortSignal.timeout(ANSWER_MAX_MS) })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? await response.json() : await response.text(),
  }
}
