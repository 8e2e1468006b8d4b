import type { Player } from './player.ts'

/** What the REST door tells of a holding, as far as tests look at it. */
export interface Holding {
  readonly tokenId: number
  readonly amount: string
  readonly currentPrice: string
  readonly totalValue: string
  readonly cashOutValue: string
  readonly profitLoss: string
  readonly profitLossPercent: string
}

/** Everything that a player holds, the most valuable first. */
export async function holdingsOf(url: string, player: Player): Promise<Holding[]> {
  return await askAs(player, `${url}/api/portfolio`)
}

/** What the REST door tells of a net worth, as far as tests look at it. */
export interface NetWorth {
  readonly netWorth: string
  readonly balance: string
  readonly cashOutValue: string
  readonly ownPools: string
}

/** What a player could have in SOL now. */
export async function netWorthOf(url: string, player: Player): Promise<NetWorth> {
  return await askAs(player, `${url}/api/portfolio/net-worth`)
}

/** Sells all that a player holds of a token. */
export async function sellAll(url: string, player: Player, tokenId: number): Promise<void> {
  const holding = (await holdingsOf(url, player)).find((held) => held.tokenId === tokenId)
  await askAs(player, `${url}/api/tokens/sell`, { tokenId, tokenAmount: holding?.amount })
}

/** Takes all SOL out of the player's own token. */
export async function pullRug(url: string, player: Player, tokenId: number): Promise<void> {
  await askAs(player, `${url}/api/tokens/${tokenId}/rug`, {})
}

/** The id of a player. */
export async function idOf(url: string, player: Player): Promise<number> {
  const { id }: { id: number } = await askAs(player, `${url}/api/auth/user`)
  return id
}

async function askAs<Answer>({ session }: Player, url: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', cookie: `${session.name}=${session.value}` },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return await response.json()
}
