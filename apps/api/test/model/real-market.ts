import { formatSol, formatTokens, type PlainAnswer, type PlainOrder } from './plain-market.ts'

/** Longer than any allowed answer. */
const ANSWER_MAX_MS = 60_000

/** A real answer. `stamps` are the id and time the server chose, which a repeat must return as well. */
export type RealAnswer = PlainAnswer & { readonly stamps: string }

/** Shared by all runs on a server, since usernames are unique. */
let names = 0

/** The real server, called over HTTP by its players. */
export class RealMarket {
  readonly #url: string
  readonly #cookies = new Map<number, string>()
  /** Advances the server's clock. */
  readonly passTime: (ms: number) => void

  constructor(url: string, passTime: (ms: number) => void) {
    this.#url = url
    this.passTime = passTime
  }

  async register(): Promise<{ id: number; username: string }> {
    const username = `player-${++names}`
    const registration = { username, email: `${username}@papermoon.example`, wallet: 'wallet', password: 'secret-1' }
    const registered = await this.#send('POST', '/api/auth/register', { body: registration })
    if (registered.status !== 201) throw new Error(await registered.text())
    const cookie = registered.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ')
    const me = await this.#send('GET', '/api/auth/user', { cookie })
    const { id } = (await me.json()) as { id: number }
    this.#cookies.set(id, cookie)
    return { id, username }
  }

  async place(order: PlainOrder): Promise<RealAnswer> {
    const cookie = this.#cookies.get(order.userId)
    const key = order.key ?? undefined
    const answer = await this.#send('POST', toRestPath(order), { body: toBody(order), cookie, key })
    const { status } = answer
    if (answer.ok) return toAnswer((await answer.json()) as Record<string, unknown>)
    return { ok: false, status, sentence: await answer.text(), stamps: '' }
  }

  /** Gets a path as a player, or as a guest. */
  async get<Body>(path: string, userId?: number): Promise<Body> {
    const cookie = userId === undefined ? undefined : this.#cookies.get(userId)
    const answer = await this.#send('GET', path, { cookie })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Body
  }

  #send(method: 'GET' | 'POST', path: string, { body, cookie, key }: Request): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie !== undefined && { cookie }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    })
  }
}

interface Request {
  readonly body?: unknown
  readonly cookie?: string | undefined
  readonly key?: string | undefined
}

function toRestPath(order: PlainOrder): string {
  if (order.kind === 'reset') return '/api/account/reset'
  return order.kind === 'rug' ? `/api/tokens/${order.tokenId}/rug` : `/api/tokens/${order.kind}`
}

/** Odd amounts get decimals beyond the last unit, which the server must cut. */
function toBody(order: PlainOrder): Record<string, unknown> {
  const sol = (lamports: bigint) =>
    lamports % 2n === 0n ? formatSol(lamports) : `${padDecimals(formatSol(lamports), 9)}999`
  const tokens = (micros: bigint) =>
    micros % 2n === 0n ? formatTokens(micros) : `${padDecimals(formatTokens(micros), 6)}999`
  if (order.kind === 'launch') {
    const { name, symbol } = order
    return { name, symbol, ...(order.sol > 0n && { initialBuyAmount: sol(order.sol) }) }
  }
  if (order.kind === 'buy') {
    const minimum = order.minimum === null ? {} : { minTokensOut: tokens(order.minimum) }
    return { tokenId: order.tokenId, solAmount: sol(order.sol), ...minimum }
  }
  if (order.kind !== 'sell') return {}
  const minimum = order.minimum === null ? {} : { minSolOut: sol(order.minimum) }
  return { tokenId: order.tokenId, tokenAmount: tokens(order.tokens), ...minimum }
}

function padDecimals(text: string, decimals: number): string {
  const [whole, fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(decimals, '0')}`
}

/** Separates the server's ids and times from the answer. */
function toAnswer(body: Record<string, unknown>): RealAnswer {
  const { trade, token, ...rest } = body as { trade?: Stamped; token?: Ending }
  const shown = { ...rest, ...(trade && { trade: withoutStamps(trade) }), ...(token && { token: withEnd(token) }) }
  return { ok: true, body: shown, stamps: trade === undefined ? '' : `${trade.id} ${trade.createdAt}` }
}

export interface Stamped {
  readonly id: number
  readonly createdAt: string
}

/** A trade without its id and time. */
export function withoutStamps<T extends Stamped>({ id: _id, createdAt: _createdAt, ...trade }: T) {
  return trade
}

export interface Ending {
  readonly ruggedAt: string | null
}

/** Replaces the time of the rug pull, which the server chooses, by whether there was one. */
export function withEnd<T extends Ending>(shown: T): T & { isRugged: boolean } {
  return { ...shown, isRugged: shown.ruggedAt !== null }
}
