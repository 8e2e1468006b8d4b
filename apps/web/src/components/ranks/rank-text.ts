import type { LeaderboardRank } from '../../lib/api/api.ts'
import { formatCount, formatSol } from '../../lib/format/format.ts'

const SOL_SHOWN = 4
const WINDOW_MS = 6 * 3_600_000
const SUFFIXES: Partial<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }

/** `1st`, `22nd`, `1,113th`. Without `Intl.PluralRules`, whose first use takes more than 10 ms of a page's start. */
export function formatOrdinal(rank: number): string {
  const isTeen = Math.floor((rank % 100) / 10) === 1
  return `${formatCount(rank)}${(isTeen ? undefined : SUFFIXES[rank % 10]) ?? 'th'}`
}

/** A place in two or three words. */
export function formatPlace({ isRanked, rank, totalPnL }: LeaderboardRank): string {
  if (rank !== null) return formatOrdinal(rank)
  if (!isRanked) return 'Not ranked'
  return totalPnL === null ? 'No trades' : 'No place yet'
}

/** How far a place is from a medal, or how safe the medal is. */
export function formatDistance({ isRanked, rank, lead, behindBronze }: LeaderboardRank): string {
  if (!isRanked) return 'bots have a league of their own'
  if (lead !== null) return `${formatSol(lead, SOL_SHOWN)} SOL ahead of the next`
  if (behindBronze !== null) return `${formatSol(behindBronze, SOL_SHOWN)} SOL behind bronze`
  return rank === null ? 'any profit takes a medal' : 'nobody follows yet'
}

/** The time until a giveaway window ends: `2 h 05 min 09 s`. Windows follow each other without a gap. */
export function formatCountdown(until: string, nowMs: number): string {
  const leftMs = Date.parse(until) - nowMs
  const seconds = Math.ceil((((leftMs % WINDOW_MS) + WINDOW_MS) % WINDOW_MS || WINDOW_MS) / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return `${hours} h ${pad(minutes)} min ${pad(seconds % 60)} s`
}

function pad(count: number): string {
  return String(count).padStart(2, '0')
}
