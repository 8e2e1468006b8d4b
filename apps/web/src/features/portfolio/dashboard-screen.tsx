import { formatSol } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { UnlessFailed } from '../../components/feedback/fetched.tsx'
import { LoginRequired } from '../../components/feedback/login-required.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Fact } from '../../components/figures/fact.tsx'
import { Worth } from '../../components/figures/worth.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { SixHourRank } from '../../components/ranks/six-hour-rank.tsx'
import { type Dashboard as DashboardData, type TokenId, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { isSignedOut } from '../../lib/api/failure.ts'
import { concernsHolder, useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { QuestCard } from '../quests/quest-card.tsx'
import { CreatedTokens } from './created-tokens.tsx'
import { HoldingRow } from './holdings/holding-row.tsx'
import { HoldingsPanel } from './holdings/holdings-panel.tsx'
import { PnlCards } from './pnl-cards.tsx'
import { YouHead } from './you-head.tsx'

export function DashboardScreen() {
  const user = useCurrentUser()
  return user === null ? <AskForLogin /> : <Dashboard userId={user.id} />
}

function AskForLogin() {
  return <LoginRequired>Please log in to see your dashboard.</LoginRequired>
}

function Dashboard({ userId }: { userId: UserId }) {
  const query = trpc.portfolio.dashboard.useQuery()
  const shown = listTokens(query.data)
  useRefetchOn((event) => query.data === undefined || concernsHolder(event, userId, shown), query.refetch)

  if (isSignedOut(query.error)) return <AskForLogin />
  return (
    <>
      <YouHead title="Dashboard" lead="Your profit, your holdings and the tokens that you launched.">
        <ButtonLink to="/user/$id" params={{ id: String(userId) }} look="quiet">
          Public profile
        </ButtonLink>
      </YouHead>
      <UnlessFailed level={2} query={query} failure="Failed to fetch dashboard">
        <DashboardBody userId={userId} dashboard={query.data} />
      </UnlessFailed>
    </>
  )
}

function listTokens(dashboard: DashboardData | undefined): ReadonlySet<TokenId> {
  return new Set([...(dashboard?.holdings ?? []), ...(dashboard?.createdTokens ?? [])].map(({ tokenId }) => tokenId))
}

interface DashboardBodyProps {
  readonly userId: UserId
  readonly dashboard: DashboardData | undefined
}

const COLUMNS = ['Token', 'Amount', 'Price', 'Value']

function DashboardBody({ userId, dashboard }: DashboardBodyProps) {
  return (
    <>
      <QuestCard />
      <PnlCards pnl={dashboard?.pnl} />
      <div className="columns-l mb-l">
        <NetWorthLink userId={userId} shown={listTokens(dashboard)} />
        <SixHourRank userId={userId} title="Six-hour rank" />
      </div>
      <div className="stack gap-l">
        <HoldingsPanel
          holdings={dashboard?.holdings}
          columns={COLUMNS}
          renderRow={(holding, row) => <HoldingRow holding={holding} value={holding.currentValue} {...row} />}
        />
        <CreatedTokens tokens={dashboard?.createdTokens} />
      </div>
    </>
  )
}

interface NetWorthLinkProps {
  readonly userId: UserId
  readonly shown: ReadonlySet<TokenId>
}

function NetWorthLink({ userId, shown }: NetWorthLinkProps) {
  const query = trpc.portfolio.netWorth.useQuery()
  const { data } = query
  useRefetchOn((event) => concernsHolder(event, userId, shown), query.refetch)
  return (
    <Panel title="Net worth">
      <UnlessFailed query={query} failure="Could not load your net worth">
        <div>
          <Worth sol={data?.netWorth} />
          <dl className="stack gap-s my-m">
            <Part label="Balance" sol={data?.balance} />
            <Part label="Your tokens, if sold now" sol={data?.cashOutValue} />
            <Part label="SOL in your own pools" sol={data?.ownPools} />
          </dl>
          {data !== undefined && data.ownPools !== '0' && (
            <p className="mt-s dim">Your net worth includes the SOL in your own pools. Your PnL does not.</p>
          )}
          <p className="one-line mt-s dim">
            <Link to="/portfolio">See your net worth history</Link>
          </p>
        </div>
      </UnlessFailed>
    </Panel>
  )
}

function Part({ label, sol }: { label: string; sol: string | undefined }) {
  return (
    <Fact label={label} exact={sol && `${sol} SOL`}>
      {sol === undefined ? <Skeleton width="6em" height="1em" /> : `${formatSol(sol)} SOL`}
    </Fact>
  )
}
