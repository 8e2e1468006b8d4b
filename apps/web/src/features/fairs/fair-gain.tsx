import { Decimal, solText } from '@papermoon/amm'
import { GAIN_PART } from '@papermoon/contract/fair-tokens'
import { formatGain, formatSol, getSign } from '@papermoon/format'
import { Trend } from '../../components/figures/change.tsx'
import type { FairEntrant, FairRanking } from '../../lib/api/api.ts'

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
  return <small>{formatGain(solText(taken.neg()), SOL_SHOWN)}: most of it came from one player</small>
}

interface WhyTakenOffProps extends Pick<FairEntrant, 'standing' | 'score'> {
  readonly stake: string
  /** The player who lost most of it. */
  readonly limitedBy: FairRanking['limitedBy'] | undefined
}

/** Explains to a player why part of the SOL does not count. Renders nothing if all of it counts. */
export function WhyTakenOff({ standing, score, stake, limitedBy }: WhyTakenOffProps) {
  if (standing === score) return null
  const counted = formatSol(solText(new Decimal(stake).div(GAIN_PART)), SOL_SHOWN)
  const taken = formatSol(solText(new Decimal(standing).sub(score)), SOL_SHOWN)
  return (
    <p className="small">
      Of what a single player loses to you, at most {counted} SOL counts. Your score leaves out the {taken} SOL above
      that, even after you sell.
      {limitedBy != null && (
        <>
          {' '}
          Most of it came from <b>{limitedBy.username}</b>.
        </>
      )}
    </p>
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
