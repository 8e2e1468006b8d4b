import { formatCount } from '@papermoon/format'
import { Link, useSearch } from '@tanstack/react-router'
import { UnlessFailed } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { type AuditSummary, trpc } from '../../lib/api/api.ts'
import { polled } from '../../lib/api/query-client.ts'
import { counted } from '../../lib/format/counted.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { ChainPanel } from './chain-panel.tsx'
import { Facts } from './facts.tsx'
import { HeadsPanel } from './heads-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import classes from './proof-screen.module.css'
import text from './proof-text.module.css'

const POLL_MS = 15_000
/** Min time between two reads after trades, in ms. The server computes the sums only every 5 seconds. */
const NEWS_EVERY_MS = 5_000

/** The proof page shows sums, chains and published hashes. */
export function ProofScreen() {
  const { token } = useSearch({ from: '/proof' })
  const query = trpc.proof.summary.useQuery(undefined, polled(POLL_MS))
  useRefetchOn(() => true, query.refetch, NEWS_EVERY_MS)
  return (
    <div className={`stack gap-l mx-auto ${classes.page}`}>
      <PageHead title="Proof" lead="Check yourself that every balance and trade is correct." />
      <UnlessFailed level={2} query={query} failure="Could not load the sums">
        <div className={`grid gap-l ${classes.sums}`}>
          <LedgerPanel summary={query.data} isLate={query.isError} />
          <SupplyPanel summary={query.data} />
          <ReplayPanel summary={query.data} />
        </div>
      </UnlessFailed>
      <Themed>
        <ChainPanel tokenId={token ?? null} />
        <HeadsPanel summary={query.data} isFailed={query.isError} />
      </Themed>
      <p className="small">
        Each{' '}
        <Link to="/fairs/{-$id}" params={{}} className="link">
          fair
        </Link>{' '}
        has its own balances. Press <em>Check the balances and the bell</em> on the fair’s page to verify them.
      </p>
    </div>
  )
}

/** Says whether supply = pool + holdings holds for each token. */
function SupplyPanel({ summary }: { summary: AuditSummary | undefined }) {
  return (
    <Panel title="Token supply" className={classes.supply}>
      {summary === undefined ? <Skeleton width="60%" height="1.5em" /> : <Supplies tokens={summary.tokens} />}
      <p className="small">For each token, supply = pool + holdings, to six decimals.</p>
    </Panel>
  )
}

function Supplies({ tokens: { count, exact, wrong } }: { tokens: AuditSummary['tokens'] }) {
  if (count === 0) return <p className="dim prose pretty">There are no tokens yet.</p>
  if (exact === count) {
    return (
      <p>
        <span className={text.good}>
          {count === 1
            ? 'The only token has the right supply'
            : `All ${formatCount(count)} tokens have the right supply`}
        </span>
      </p>
    )
  }
  return (
    <p>
      <span className="problem">
        {`Tokens with a wrong supply (${formatCount(count - exact)} of ${formatCount(count)}):`}
      </span>{' '}
      {wrong.map((id) => (
        <span key={id}>
          <Link to="/token/$id" params={{ id: String(id) }} className="link">
            token {id}
          </Link>{' '}
        </span>
      ))}
      {wrong.length < count - exact && '…'}
    </p>
  )
}

/** Says when the server last replayed the whole journal, and the result. */
function ReplayPanel({ summary }: { summary: AuditSummary | undefined }) {
  return (
    <Panel title="Last full replay" className={classes.replay}>
      <p className="small">
        The server regularly replays every trade since the beginning and compares each balance, holding, pool and hash
        with the database.
      </p>
      {summary === undefined ? (
        <Skeleton width="80%" height="4.5em" />
      ) : summary.lastReplay === null ? (
        <p className="dim prose pretty">
          The server has not run a full replay yet. The sums on this page do not depend on a replay.
        </p>
      ) : (
        <Replay replay={summary.lastReplay} />
      )}
    </Panel>
  )
}

function Replay({ replay }: { replay: NonNullable<AuditSummary['lastReplay']> }) {
  const { finishedAt, tradeId, trades, tokens, players, differences } = replay
  const replayed = [counted(trades, 'trade'), counted(tokens, 'token'), counted(players, 'player')].join(', ')
  return (
    <Facts
      rows={[
        ['Finished', <Ago key="ago" time={finishedAt} />],
        ['Journal position', tradeId === null ? 'before the first trade' : `trade ${formatCount(tradeId)}`],
        ['Replayed', replayed],
        ['Differences', differences === 0 ? 'None' : differences, differences === 0 ? text.good : 'problem'],
      ]}
    />
  )
}
