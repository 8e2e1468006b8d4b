import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Ago } from '../../../components/figures/ago.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import type { AuditSummary } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatCount } from '../../../lib/format/format.ts'
import screen from '../proof-screen.module.css'
import text from '../proof-text.module.css'

/** When the server last replayed the whole journal, and the result. */
export function ReplayPanel({ summary }: { summary: AuditSummary | undefined }) {
  return (
    <Panel title="The last full replay" className={screen.replay}>
      <p className={text.small}>
        Now and then the server does every trade again, from the first one on, and compares each balance, holding, pool
        and hash with what stands in its tables.
      </p>
      {summary === undefined ? (
        <Skeleton width="80%" height="4.5em" />
      ) : summary.lastReplay === null ? (
        <p className={text.text}>Not yet run. The sums on this page do not wait for it.</p>
      ) : (
        <Replay replay={summary.lastReplay} />
      )}
    </Panel>
  )
}

function Replay({ replay }: { replay: NonNullable<AuditSummary['lastReplay']> }) {
  const { finishedAt, tradeId, trades, tokens, players, differences } = replay
  return (
    <dl className={text.facts}>
      <div>
        <dt>Finished</dt>
        <dd>
          <Ago time={finishedAt} />
        </dd>
      </div>
      <div>
        <dt>Journal position</dt>
        <dd>{tradeId === null ? 'before the first trade' : `trade ${formatCount(tradeId)}`}</dd>
      </div>
      <div>
        <dt>Done again</dt>
        <dd>
          {counted(trades, 'trade')} of {counted(tokens, 'token')} by {counted(players, 'player')}
        </dd>
      </div>
      <div>
        <dt>Differences</dt>
        <dd className={differences === 0 ? text.good : text.bad}>{differences === 0 ? '0, none' : differences}</dd>
      </div>
    </dl>
  )
}
