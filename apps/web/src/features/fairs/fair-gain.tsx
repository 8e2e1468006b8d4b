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

type Amounts = Pick<FairEntrant, 'standing' | 'score'>

/** Formats the SOL that a score leaves out, rounded up and with a minus sign, because scores are rounded down. */
const formatTaken = ({ standing, score }: Amounts) => formatGain(solText(new Decimal(score).sub(standing)), SOL_SHOWN)

/** Shows how much of a player's SOL does not count for the score. */
export function TakenOff(amounts: Amounts) {
  if (amounts.standing === amounts.score) return null
  return <small>{formatTaken(amounts)}: most of it came from one player</small>
}

interface WhyTakenOffProps extends Amounts {
  readonly stake: string
  /** The player who lost most of it. */
  readonly limitedBy: FairRanking['limitedBy'] | undefined
}

/** Explains to a player why part of the SOL does not count. Renders nothing if all of it counts. */
export function WhyTakenOff({ standing, score, stake, limitedBy }: WhyTakenOffProps) {
  if (standing === score) return null
  const counted = formatSol(solText(new Decimal(stake).div(GAIN_PART)), SOL_SHOWN)
  const taken = formatTaken({ standing, score }).slice(1)
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
