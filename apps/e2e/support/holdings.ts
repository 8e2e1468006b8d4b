import { ask, type Player } from './player.ts'

/** A holding from the REST API, with only the properties that tests use. */
export interface Holding {
  readonly tokenId: number
  readonly amount: string
  readonly currentPrice: string
  readonly totalValue: string
  readonly cashOutValue: string
  readonly profitLoss: string
  readonly profitLossPercent: string
}

/** Returns a player's holdings, most valuable first. */
export async function fetchHoldings(url: string, player: Player): Promise<Holding[]> {
  return await askAs(player, `${url}/api/portfolio`)
}

/** A net worth from the REST API, with only the properties that tests use. */
export interface NetWorth {
  readonly netWorth: string
  readonly balance: string
  readonly cashOutValue: string
  readonly ownPools: string
}

/** Returns a player's net worth. */
export async function fetchNetWorth(url: string, player: Player): Promise<NetWorth> {
  return await askAs(player, `${url}/api/portfolio/net-worth`)
}

/** Sells a player's whole holding of a token. */
export async function sellAll(url: string, player: Player, tokenId: number): Promise<void> {
  const holding = (await fetchHoldings(url, player)).find((held) => held.tokenId === tokenId)
  await askAs(player, `${url}/api/tokens/sell`, { tokenId, tokenAmount: holding?.amount })
}

/** Pulls the rug on the player's own token. */
export async function pullRug(url: string, player: Player, tokenId: number): Promise<void> {
  await askAs(player, `${url}/api/tokens/${tokenId}/rug`, {})
}

/** Returns a player's id. */
export async function fetchId(url: string, player: Player): Promise<number> {
  const { id }: { id: number } = await askAs(player, `${url}/api/auth/user`)
  return id
}

async function askAs<Answer>({ session }: Player, url: string, body?: unknown): Promise<Answer> {
  const response = await ask(url, { body, cookie: `${session.name}=${session.value}` })
  return await response.json()
}

/** Formats a decimal as the screen shows it: with separators, rounded down. */
export function shown(decimal: string, decimals = 6): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`
}
