import { FAIR_LAUNCHES_MAX } from '@papermoon/contract/fair-tokens'
import { Panel } from '../../components/layout/panel.tsx'
import type { Fair } from '../../lib/api/api.ts'
import { nameBellPart } from '../../lib/fairs/fair-time.ts'

const LAUNCHES = {
  all: `Everybody may launch up to ${FAIR_LAUNCHES_MAX} tokens.`,
  host: 'Only the host launches tokens.',
  nobody: 'Nobody launches: you trade what is there.',
} as const

export function FairRules({ fair }: { fair: Fair }) {
  const hasMedals = fair.kind === 'arena' || fair.kind === 'season'
  return (
    <Panel title="The rules">
      <ol className="bullets">
        <li>Everybody gets {fair.stake} SOL of this fair’s own money, once. Nothing comes in, nothing goes out.</li>
        <li>
          {LAUNCHES[fair.launches]}{' '}
          {fair.rugs ? 'Creators may pull the rug: look whom you trust.' : 'No rug can be pulled.'}
        </li>
        <li>Your standing is your SOL and your share of each pool. What you win, somebody here has lost.</li>
        <li>
          The bell rings at a secret moment of the last {nameBellPart(fair) ?? 'minute'}. Sell too late, and it rings on
          your bags.
        </li>
        <li>
          To be ranked, trade your stake before the last third.
          {hasMedals && ' The best three of four players or more get medals.'}
        </li>
      </ol>
    </Panel>
  )
}
