import { Decimal, solText } from '@papermoon/amm'
import { formatGain, getSign } from '@papermoon/format'
import { Trend } from '../../components/figures/change.tsx'
import type { FairEntrant } from '../../lib/api/api.ts'

const SOL_SHOWN = 4
const MEDALS = ['🥇', '🥈', '🥉']

/** Whether bots filled empty seats, so the medal is of paper. */
const PAPER_MEDAL = '🏵️'

/** Returns a medal as an emoji, or the rank if the player won none. */
export function nameMedal({ medal, isPaper, place }: Pick<FairEntrant, 'medal' | 'isPaper' | 'place'>): string {
  if (medal === null) return String(place)
  return isPaper ? PAPER_MEDAL : (MEDALS[medal - 1] ?? String(place))
}

interface FairGainProps {
  readonly score: string
  readonly stake: string
  readonly decimals?: number
}

/** Shows the difference between a score and the stake. */
export function FairGain({ score, stake, decimals = SOL_SHOWN }: FairGainProps) {
  const gain = solText(new Decimal(score).sub(stake))
  return (
    <Trend sign={getSign(gain)}>
      <span title={`${gain} SOL`}>{formatGain(gain, decimals)}</span>
    </Trend>
  )
}
