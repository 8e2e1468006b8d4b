import { call } from '../load/call.ts'

const PLAYERS = 24

/**
 * A market that is created through the public REST API. Creating it in this way works for commits with different
 * schemas.
 */
export interface NewMarket {
  readonly tokenId: number
  /** The players' `Cookie` headers. */
  readonly cookies: readonly string[]
}

/** Registers players and launches a token on an empty server. Throws an error if the server rejects a call. */
export async function createMarket(port: number): Promise<NewMarket> {
  const cookies: string[] = []
  for (let i = 0; i < PLAYERS; i++) cookies.push(await register(port, `bench${i}`))
  const body = JSON.stringify({ name: 'Bench', symbol: 'BENCH' })
  const launched = await call(port, '/api/tokens/launch', { cookie: cookies[0], body })
  const { id } = (await launched.json()) as { id: number }
  return { tokenId: id, cookies }
}

async function register(port: number, username: string): Promise<string> {
  const player = { username, email: `${username}@example.org`, wallet: 'none', password: `moonlight of ${username}` }
  const answer = await call(port, '/api/auth/register', { body: JSON.stringify(player) })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}
