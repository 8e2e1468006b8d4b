import type { TokenId } from './ids.ts'

/** Lowest token id in fairs that end. The fairground (fair 1) has lower ids. */
export const FIRST_FAIR_TOKEN = 1_000_000_000

/** Max number of tokens that a player can launch in one fair. */
export const FAIR_LAUNCHES_MAX = 3

/** How long other players can enter a quick arena, in ms. */
export const QUICK_ENTRY_MS = 60_000

/** Max rating that a player can reach in quick arenas. */
export const QUICK_RATING_MAX = 1600

/**
 * Outside rooms, a score includes the gain from one other player's losses only up to the stake divided by this number.
 * The gain from a house bot's losses always counts in full.
 */
export const GAIN_PART = 10

/** Points for the league: for a day's tape, for a tape played with a gain, and for a quest. */
export const LEAGUE_POINTS = { tape: 2, tapeGain: 5, quest: 5 }

/** Returns the name of a player's new room or cup, unless the player chooses another name. */
export function nameFair(username: string, kind: 'room' | 'cup'): string {
  return `${username}’s ${kind}`
}

/** Returns whether a token belongs to a fair that ends. All other tokens belong to the fairground. */
export function isFairToken(id: number): boolean {
  return id >= FIRST_FAIR_TOKEN
}

/** Returns the fairs or the token in the input of a procedure with `inFairs`; null if the input contains neither. */
export function getNamed(input: unknown): Named | null {
  const { tokenId, id = tokenId, fairs } = Object(input) as { id?: unknown; tokenId?: unknown; fairs?: number[] }
  if (fairs !== undefined) return { fairs }
  return typeof id === 'number' && isFairToken(id) ? { tokenId: id as TokenId } : null
}

/** The fairs, or the token of a fair, in a call's input. */
export type Named = { readonly fairs: readonly number[] } | { readonly tokenId: TokenId }
