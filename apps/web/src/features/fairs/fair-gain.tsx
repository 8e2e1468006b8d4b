import { Decimal, solText } from '@papermoon/amm'
import { formatGain, getSign } from '@papermoon/format'
import { Trend } from '../../components/figures/change.tsx'

const SOL_SHOWN = 4
const MEDALS = ['🥇', '🥈', '🥉']

/** A medal, or the rank without one. */
export function nameMedal(medal: number | null, rank: number): string {
  return (medal === null ? undefined : MEDALS[medal - 1]) ?? String(rank)
}

interface FairGainProps {
  readonly score: string
  readonly stake: string
  readonly decimals?: number
}

/** How far a score is above or below the stake. */
export function FairGain({ score, stake, decimals = SOL_SHOWN }: FairGainProps) {
  const gain = solText(new Decimal(score).sub(stake))
  return (
    <Trend sign={getSign(gain)}>
      <span title={`${gain} SOL`}>{formatGain(gain, decimals)}</span>
    </Trend>
  )
}
