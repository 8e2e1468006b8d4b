import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './server.ts'

/** A registered, logged-in player who acts through the REST API. */
export interface Player {
  readonly username: string
  readonly email: string
  readonly password: string
  /** Name and value of the session cookie. */
  readonly session: { readonly name: string; readonly value: string }
  /** Launches a token, and returns the token's id. */
  launch(token: { name: string; symbol: string; emoji?: string; initialBuyAmount?: string }): Promise<number>
  buy(tokenId: number, solAmount: string): Promise<void>
  sell(tokenId: number, tokenAmount: string): Promise<void>
  /** Places a limit order that buys. */
  placeBuy(tokenId: number, solAmount: string, price: string): Promise<void>
  /** Writes a post about a token. */
  say(tokenId: number, text: string): Promise<void>
  /** Pulls the rug on the player's own token. */
  rug(tokenId: number): Promise<void>
  /** Calls a path as the player, with POST if there is a body, and returns the response's JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read only a few properties.
  call(path: string, body?: object): Promise<any>
  /** Returns a client for the same player on another server with the same data. */
  at(url: string): Player
}

/** A trade from the REST API. Contains only the properties that tests use. */
export interface Trade {
  readonly side: 'buy' | 'sell'
  readonly solAmount: string
  readonly fee: string
  readonly tokenAmount: string
  readonly username: string
}

const PASSWORD = 'a paper moon'
/** Max time for a request, in ms. This limit only prevents a test from hanging. */
const ANSWER_MAX_MS = 120_000
const BUSY_TRIES = 100

/** The input of a registration. */
export interface Account {
  readonly username: string
  readonly email: string
  readonly wallet: string
  readonly password: string
}

/** Returns account details. If no name is given, the account gets a unique name. */
export function newAccount(username = `p-${randomUUID().slice(0, 8)}`): Account {
  return {
    username,
    email: `${username.replaceAll(' ', '-')}@papermoon.example`,
    wallet: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    password: PASSWORD,
  }
}

export async function registerPlayer(url: string, username?: string): Promise<Player> {
  const account = newAccount(username)
  const registered = await ask(`${url}/api/auth/register`, { body: account })
  const [name = '', value = ''] = (registered.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? []
  // Switch off notifications about stickers, because their toast could cover what a test waits for.
  await ask(`${url}/trpc/notices.setSettings`, {
    body: { json: { muted: [], mutedNews: ['sticker'] } },
    cookie: `${name}=${value}`,
  })
  return playerAt(url, { ...account, session: { name, value } })
}

function playerAt(url: string, who: Pick<Player, 'username' | 'email' | 'password' | 'session'>): Player {
  const cookie = `${who.session.name}=${who.session.value}`
  const call = async (path: string, body?: object) => (await ask(`${url}${path}`, { body, cookie })).json()
  return {
    ...who,
    call,
    launch: async (token) => (await call('/api/tokens/launch', token)).id,
    buy: async (tokenId, solAmount) => void (await call('/api/tokens/buy', { tokenId, solAmount })),
    sell: async (tokenId, tokenAmount) => void (await call('/api/tokens/sell', { tokenId, tokenAmount })),
    placeBuy: async (tokenId, solAmount, price) =>
      void (await call('/api/waiting-orders', { tokenId, kind: 'buy', solAmount, price })),
    say: async (tokenId, text) => void (await call('/api/talk', { tokenId, text })),
    rug: async (tokenId) => void (await call(`/api/tokens/${tokenId}/rug`, {})),
    at: (otherUrl) => playerAt(otherUrl, who),
  }
}

/** Deletes the player's last proof of identity, so that the next sensitive action asks for one. */
export async function forgetProof(server: Server, { username }: Player): Promise<void> {
  await server.change((db) =>
    db
      .updateTable('sessions')
      .set({ confirmed_at: null, factor_at: null })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('username', '=', username))
      .execute(),
  )
}

/** Returns a token's latest 50 trades, oldest first. */
export async function fetchTrades(url: string, tokenId: number): Promise<Trade[]> {
  const trades: Trade[] = await (await ask(`${url}/api/tokens/${tokenId}/trades`, {})).json()
  return trades.reverse()
}

/** Sends a request, and repeats it for up to a minute if a busy server rejected it without doing anything. */
export async function ask(url: string, request: { body?: unknown; cookie?: string }): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await send(url, request)
    if (response.ok) return response
    const sentence = await response.text()
    const isNothingDone = request.body === undefined || sentence.includes('was not placed')
    const isBusy = response.status === 503 && isNothingDone
    if (!isBusy || tries === BUSY_TRIES) throw new Error(`${url} answered ${response.status}: ${sentence}`)
    await sleep(500)
  }
}

async function send(url: string, { body, cookie }: { body?: unknown; cookie?: string }): Promise<Response> {
  return await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
  })
}
