import { Link } from '@tanstack/react-router'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import type { AuditSummary } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatCount } from '../../../lib/format/format.ts'
import screen from '../proof-screen.module.css'
import text from '../proof-text.module.css'

/** Whether supply = pool + holdings holds for each token. */
export function SupplyPanel({ summary }: { summary: AuditSummary | undefined }) {
  return (
    <Panel title="Every token, whole" className={screen.supply}>
      {summary === undefined ? <Skeleton width="60%" height="1.5em" /> : <Supplies tokens={summary.tokens} />}
      <p className={text.small}>Of each token, supply = pool + holdings, to its sixth decimal.</p>
    </Panel>
  )
}

function Supplies({ tokens: { count, exact, wrong } }: { tokens: AuditSummary['tokens'] }) {
  if (count === 0) return <p className={text.text}>Nobody has launched a token yet. All none of them add up.</p>
  if (exact === count) {
    return (
      <p className={text.line}>
        <span className={text.good}>
          {count === 1 ? 'The one token is whole' : `All ${formatCount(count)} tokens are whole`}
        </span>
      </p>
    )
  }
  return (
    <p className={text.line}>
      <span className={text.bad}>
        {counted(count - exact, 'token')} of {formatCount(count)} {count - exact === 1 ? 'is' : 'are'} not:
      </span>{' '}
      {wrong.map((id) => (
        <span key={id}>
          <Link to="/token/$id" params={{ id: String(id) }} className={text.link}>
            token {id}
          </Link>{' '}
        </span>
      ))}
      {wrong.length < count - exact && '…'}
    </p>
  )
}
