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
  const launched = await post(port, '/api/tokens/launch', { name: 'Bench', symbol: 'BENCH' }, cookies[0])
  const { id } = (await launched.json()) as { id: number }
  return { tokenId: id, cookies }
}

async function register(port: number, username: string): Promise<string> {
  const player = { username, email: `${username}@example.org`, wallet: 'none', password: `moonlight of ${username}` }
  const answer = await post(port, '/api/auth/register', player)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

async function post(port: number, path: string, body: unknown, cookie = ''): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie !== '' && { cookie }) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${answer.status} for ${path}: ${await answer.text()}`)
  return answer
}
