import { type RestPlayer, registerPlayer } from './rest-player.ts'

/** New players with 100 SOL each, and tokens that the first player launched. */
export interface PlayersMarket {
  readonly players: readonly RestPlayer[]
  readonly tokens: readonly number[]
}

export async function newMarket(url: string, players: number, tokens: number): Promise<PlayersMarket> {
  const registered = await Promise.all(Array.from({ length: players }, () => registerPlayer(url)))
  const launched = await Promise.all(registered.slice(0, tokens).map((player, i) => player.launch(`Proof ${i}`)))
  return { players: registered, tokens: launched }
}
