import { Decimal, solText } from '@papermoon/amm'
import { formatGain, getSign } from '@papermoon/format'
import { Trend } from '../../components/figures/change.tsx'
import type { FairEntrant } from '../../lib/api/api.ts'

const SOL_SHOWN = 2
const MEDALS = ['🥇', '🥈', '🥉']

/** Emoji of a paper medal, for an arena in which bots filled empty seats. */
const PAPER_MEDAL = '🏵️'

/** Returns a medal as an emoji. If the player won no medal, returns the rank. */
export function nameMedal({ medal, isPaper, place }: Pick<FairEntrant, 'medal' | 'isPaper' | 'place'>): string {
  if (medal === null) return String(place)
  return isPaper ? PAPER_MEDAL : (MEDALS[medal - 1] ?? String(place))
}

/** Shows how much of a player's SOL does not count for the score. */
export function TakenOff({ standing, score }: Pick<FairEntrant, 'standing' | 'score'>) {
  const taken = new Decimal(standing).sub(score)
  if (taken.isZero()) return null
  return (
    <small title="If one player loses more than a tenth of the starting SOL to you, the SOL above that tenth does not count.">
      {formatGain(solText(taken.neg()), SOL_SHOWN)}: most of it came from one player
    </small>
  )
}

interface FairGainProps {
  readonly score: string
  readonly stake: string
}

/** Shows the difference between a score and the stake. */
export function FairGain({ score, stake }: FairGainProps) {
  const gain = solText(new Decimal(score).sub(stake))
  return (
    <Trend sign={getSign(gain)}>
      <span title={`${gain} SOL`}>{formatGain(gain, SOL_SHOWN)}</span>
    </Trend>
  )
}
