import { randomUUID } from 'node:crypto'
import type { BotOrder } from '../index.ts'

/** How long to wait for a response, in ms. Without a response in this time, the outcome counts as unknown. */
const ANSWER_MAX_MS = 10_000

/** The server rejected a call. `code` is the error code, or null if the response has none. */
export class RefusedError extends Error {
  readonly code: string | null

  constructor(message: string, code: string | null) {
    super(message)
    this.code = code
  }
}

export type Outcome =
  /** Sequence number of the order's last event, which is not known for a rug pull. */
  | { readonly kind: 'done'; readonly tokenId: number; readonly seq: number | null }
  | { readonly kind: 'refused'; readonly code: string }
  /** The server did not respond, so the order may have been placed. */
  | { readonly kind: 'unknown' }

type Headers = Readonly<Record<string, string>>

/** A player of a load test. The player places orders over REST, as any program can. */
export class Player {
  readonly userId: number
  /** Balance in SOL at the start. */
  readonly balance: number
  readonly #url: string
  readonly #headers: Headers

  private constructor(url: string, headers: Headers, { id, solBalance }: { id: number; solBalance: string }) {
    this.userId = id
    this.balance = Number(solBalance)
    this.#url = url
    this.#headers = headers
  }

  /** Registers the player. Throws `RefusedError` if the server rejects the call. */
  static async register(url: string, username: string, signal: AbortSignal): Promise<Player> {
    const email = `${username}@load.example`
    const body = { username, email, wallet: 'none', password: randomUUID() }
    const { headers } = await call(new URL('/api/auth/register', url), { body, signal })
    const cookie = headers.getSetCookie().map((text) => text.split(';', 1)[0])
    return await Player.open(url, { cookie: cookie.join('; ') }, signal)
  }

  /** Opens the account that these credentials belong to. Throws `RefusedError` if the server rejects the call. */
  static async open(url: string, headers: Headers, signal: AbortSignal): Promise<Player> {
    const { content } = await call(new URL('/api/auth/user', url), { headers, signal })
    return new Player(url, headers, content as { id: number; solBalance: string })
  }

  async place(order: BotOrder, signal: AbortSignal): Promise<Outcome> {
    const [path, body] = toCall(order)
    const headers = { ...this.#headers, 'idempotency-key': randomUUID() }
    const either = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MAX_MS)])
    try {
      const { content } = await call(new URL(path, this.#url), { headers, body, signal: either })
      return toDone(order, content as OrderContent)
    } catch (error) {
      const code = error instanceof RefusedError ? error.code : null
      return code === null || code === 'OUTCOME_UNKNOWN' ? { kind: 'unknown' } : { kind: 'refused', code }
    }
  }
}

interface Call {
  readonly headers?: Headers
  /** The body of a POST request. A request without a body is a GET. */
  readonly body?: object
  readonly signal: AbortSignal
}

async function call(
  url: URL,
  { headers, body, signal }: Call,
): Promise<{ content: unknown; headers: Response['headers'] }> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const types = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) }
  const response = await fetch(url, { ...sent, headers: { ...types, ...headers }, signal })
  const content: unknown = await response.json().catch(() => null)
  if (response.ok && content !== null) return { content, headers: response.headers }
  const { detail, code } = Object(content) as { detail?: string; code?: string }
  throw new RefusedError(detail ?? `The server returned status ${response.status}.`, code ?? null)
}

/** These texts are exact, because amounts in orders have no more decimals than their unit. */
function toCall(order: BotOrder): [path: string, body: object] {
  switch (order.kind) {
    case 'buy': {
      const { tokenId, sol, minTokensOut } = order
      const least = minTokensOut > 0 ? { minTokensOut: minTokensOut.toFixed(6) } : {}
      return ['/api/tokens/buy', { tokenId, solAmount: sol.toFixed(9), ...least }]
    }
    case 'sell': {
      const { tokenId, tokens, minSolOut } = order
      const least = minSolOut > 0 ? { minSolOut: minSolOut.toFixed(9) } : {}
      return ['/api/tokens/sell', { tokenId, tokenAmount: tokens.toFixed(6), ...least }]
    }
    case 'launch': {
      const { name, symbol, emoji, description } = order.story
      const first = order.initialBuy > 0 ? { initialBuyAmount: order.initialBuy.toFixed(9) } : {}
      return ['/api/tokens/launch', { name, symbol, emoji, description, ...first }]
    }
    case 'rug':
      return [`/api/tokens/${order.tokenId}/rug`, {}]
    case 'seal':
      return [`/api/tokens/${order.tokenId}/seal`, order.seal]
  }
}

interface OrderContent {
  readonly id: number
  readonly trade: { readonly seq: number }
}

function toDone(order: BotOrder, { id, trade }: OrderContent): Outcome {
  if (order.kind === 'rug' || order.kind === 'seal') return { kind: 'done', tokenId: order.tokenId, seq: null }
  if (order.kind === 'launch') return { kind: 'done', tokenId: id, seq: order.initialBuy > 0 ? 1 : 0 }
  return { kind: 'done', tokenId: order.tokenId, seq: trade.seq }
}
