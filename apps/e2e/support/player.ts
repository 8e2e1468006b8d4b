import { randomUUID } from 'node:crypto'

/** A registered, signed-in player who acts past the browser, over REST. */
export interface Player {
  readonly username: string
  readonly email: string
  readonly password: string
  /** Name and value of the session's cookie. */
  readonly session: { readonly name: string; readonly value: string }
  /** A fresh token's id. */
  launch(token: { name: string; symbol: string; emoji?: string; initialBuyAmount?: string }): Promise<number>
  buy(tokenId: number, solAmount: string): Promise<void>
  /** The same player at another server on the same data. */
  at(url: string): Player
}

/** What the REST door tells of a trade, as far as tests look at it. */
export interface Trade {
  readonly side: 'buy' | 'sell'
  readonly solAmount: string
  readonly fee: string
  readonly tokenAmount: string
  readonly createdAt: string
  readonly username: string
}

const PASSWORD = 'a paper moon'

/** What a registration asks for. */
export interface Account {
  readonly username: string
  readonly email: string
  readonly wallet: string
  readonly password: string
}

/** Details nobody else has. */
export function newAccount(): Account {
  const name = `p-${randomUUID().slice(0, 8)}`
  return {
    username: name,
    email: `${name}@papermoon.example`,
    wallet: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    password: PASSWORD,
  }
}

export async function registerPlayer(url: string): Promise<Player> {
  const account = newAccount()
  const registered = await ask(`${url}/api/auth/register`, { body: account })
  const [name = '', value = ''] = (registered.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? []
  return playerAt(url, { ...account, session: { name, value } })
}

function playerAt(url: string, who: Pick<Player, 'username' | 'email' | 'password' | 'session'>): Player {
  const cookie = `${who.session.name}=${who.session.value}`
  const post = async (path: string, body: unknown) => (await ask(`${url}${path}`, { body, cookie })).json()
  return {
    ...who,
    launch: async (token) => (await post('/api/tokens/launch', token)).id,
    buy: async (tokenId, solAmount) => void (await post('/api/tokens/buy', { tokenId, solAmount })),
    at: (otherUrl) => playerAt(otherUrl, who),
  }
}

/** All trades of a token, oldest first; a token with 50 or more is no use to a test. */
export async function tradesOf(url: string, tokenId: number): Promise<Trade[]> {
  const trades: Trade[] = await (await ask(`${url}/api/tokens/${tokenId}/trades`, {})).json()
  return trades.reverse()
}

async function ask(url: string, { body, cookie }: { body?: unknown; cookie?: string }): Promise<Response> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}
