import { FAIR_LAUNCHES_MAX } from '@papermoon/contract/fair-tokens'
import { Panel } from '../../components/layout/panel.tsx'
import type { Fair } from '../../lib/api/api.ts'
import { describeEnd, describeLength, describeQualifying } from '../../lib/fairs/describe-span.ts'
import { nameBellPart } from '../../lib/fairs/fair-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'

const LAUNCHES = {
  all: `Everyone can launch at most ${FAIR_LAUNCHES_MAX} tokens.`,
  host: 'Only the host can launch tokens.',
  nobody: 'Nobody can launch tokens.',
} as const

export function FairRules({ fair }: { fair: Fair }) {
  const bellPart = nameBellPart(fair)
  const end = describeEnd(fair, useNow())
  const isHost = fair.me?.isHost === true
  const hasMedals = fair.kind === 'arena' || fair.kind === 'season'
  return (
    <Panel title="The rules">
      <ol className="bullets">
        <li>
          {end === null
            ? `Trading lasts ${describeLength(fair)} and begins when ${isHost ? 'you start' : 'the host starts'} the fair.`
            : `Trading lasts ${describeLength(fair)} and ends at ${end} at the latest.`}
        </li>
        <li>Everyone starts with {fair.stake} SOL of this fair’s own money. No other SOL comes in or goes out.</li>
        <li>
          {isHost && fair.launches === 'host' ? 'Only you can launch tokens.' : LAUNCHES[fair.launches]}{' '}
          {fair.rugs ? 'Creators can pull the rug, so be careful whom you trust.' : 'Nobody can pull the rug.'}
        </li>
        <li>
          Your score is your SOL plus your share of the SOL in each pool. Every SOL that you win, another player here
          loses.
          {!fair.everyoneRanks &&
            ' If one player loses more than a tenth of the stake to you, the SOL above that tenth does not count. What house bots lose to you always counts.'}
        </li>
        <li>
          {bellPart === null
            ? 'The bell ends all trading when the clock reaches zero.'
            : `The bell ends all trading at a secret moment in the last ${bellPart}.`}{' '}
          Tokens that you still hold at the bell count as your share of their pool.
        </li>
        <li>
          {fair.everyoneRanks
            ? 'Everyone who trades and stays until the bell is ranked.'
            : `To be ranked, buy and sell for ${fair.stake} SOL or more in total in the first ${describeQualifying(fair)}. House bots are ranked after their first trade.`}
          {hasMedals &&
            ' If four or more ranked people entered in the first third of the fair, the best three get medals.'}
          {fair.kind === 'arena' && ' If there are fewer such people, bots count as well, and the medals are of paper.'}
        </li>
      </ol>
    </Panel>
  )
}
