import type { Player } from './player.ts'

/** A holding from the REST API. Contains only the properties that tests use. */
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
export async function fetchHoldings(player: Player): Promise<Holding[]> {
  return await player.call('/api/portfolio')
}

/** A net worth from the REST API. Contains only the properties that tests use. */
export interface NetWorth {
  readonly netWorth: string
  readonly balance: string
  readonly cashOutValue: string
  readonly ownPools: string
}

/** Returns a player's net worth. */
export async function fetchNetWorth(player: Player): Promise<NetWorth> {
  return await player.call('/api/portfolio/net-worth')
}

/** Sells a player's whole holding of a token. */
export async function sellAll(player: Player, tokenId: number): Promise<void> {
  const holding = (await fetchHoldings(player)).find((held) => held.tokenId === tokenId)
  await player.call('/api/tokens/sell', { tokenId, tokenAmount: holding?.amount })
}

/** Returns a player's id. */
export async function fetchId(player: Player): Promise<number> {
  const { id }: { id: number } = await player.call('/api/auth/user')
  return id
}

/** Formats a decimal in the same way as the screen: with separators, rounded down. */
export function shown(decimal: string, decimals = 6): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`
}
