import { Decimal, solText } from '@papermoon/amm'
import { formatSol } from '@papermoon/format'
import type { FairRanking } from '../api/api.ts'

/**
 * Says how much SOL a ranked player is behind the next better rank, or ahead if the player is the first: `2.31 to
 * #2`. Returns null if the player or the rank is not in the list.
 */
export function describeGap({ entrants, mine }: Pick<FairRanking, 'entrants' | 'mine'>): string | null {
  if (mine === null || !mine.isRanked) return null
  const index = entrants.findIndex(({ userId }) => userId === mine.userId)
  const other = index === 0 ? entrants[1] : entrants[index - 1]
  if (other === undefined || !other.isRanked) return null
  const gap = formatSol(solText(new Decimal(other.score).sub(mine.score).abs()), 2)
  return index === 0 ? `${gap} ahead` : `${gap} to #${other.place}`
}
