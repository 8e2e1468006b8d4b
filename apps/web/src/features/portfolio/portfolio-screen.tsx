import { formatSol, formatUsdHint } from '@papermoon/format'
import { type ComponentProps, memo } from 'react'
import { UnlessFailed } from '../../components/feedback/fetched.tsx'
import { LoginRequired } from '../../components/feedback/login-required.tsx'
import { Change } from '../../components/figures/change.tsx'
import { Figure } from '../../components/figures/figure.tsx'
import { Gain } from '../../components/figures/gain.tsx'
import { Sol } from '../../components/figures/sol.tsx'
import { StatCard, StatCards } from '../../components/figures/stat-cards.tsx'
import { TokenCell } from '../../components/tokens/token-table.tsx'
import { type PortfolioEntry, type PortfolioSummary, type TokenId, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { isSignedOut } from '../../lib/api/failure.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { concernsHolder, useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { AllocationPanel } from './holdings/allocation-panel.tsx'
import { HoldingRow } from './holdings/holding-row.tsx'
import { HoldingsPanel } from './holdings/holdings-panel.tsx'
import { NetWorthPanel } from './net-worth/net-worth-panel.tsx'
import { YouHead } from './you-head.tsx'

const AllWaitingOrders = lazyPart(() => import('../trading/waiting/waiting-list.tsx'), 'AllWaitingOrders')
const OwnFairs = lazyPart(() => import('../fairs/fair-rows.tsx'), 'OwnFairs')

export function PortfolioScreen() {
  const user = useCurrentUser()
  return user === null ? <AskForLogin /> : <Portfolio userId={user.id} />
}

function AskForLogin() {
  return <LoginRequired>Please log in to see your portfolio.</LoginRequired>
}

function Portfolio({ userId }: { userId: UserId }) {
  const summary = trpc.portfolio.summary.useQuery()
  const entries = trpc.portfolio.get.useQuery({})
  const refetch = () => Promise.all([summary.refetch(), entries.refetch()])
  const held = new Set(entries.data?.map((entry) => entry.tokenId))
  useRefetchOn((event) => entries.data === undefined || concernsHolder(event, userId, held), refetch)

  if (isSignedOut(summary.error ?? entries.error)) return <AskForLogin />
  const query = { ...(summary.data === undefined ? summary : entries), refetch }
  return (
    <>
      <YouHead title="Portfolio" lead="Your holdings, their market value and what you would get for selling them." />
      <UnlessFailed level={2} query={query} failure="Failed to fetch portfolio">
        <PortfolioCards summary={summary.data} />
        <WorthPanels userId={userId} held={held} />
        <div className="stack gap-l mb-l">
          <HoldingsPanel
            holdings={entries.data}
            columns={COLUMNS}
            renderRow={(entry, row) => <EntryRow entry={entry} {...row} />}
          />
          <AllWaitingOrders />
          <OwnFairs />
        </div>
      </UnlessFailed>
    </>
  )
}

const COLUMNS = ['Token', 'Amount', 'Price', 'Value', 'P/L']

interface EntryRowProps extends Pick<ComponentProps<typeof HoldingRow>, 'isSelling' | 'onSell'> {
  readonly entry: PortfolioEntry
}

const EntryRow = memo(function EntryRow({ entry, ...row }: EntryRowProps) {
  return (
    <HoldingRow holding={entry} value={entry.totalValue} {...row}>
      <TokenCell place="right">
        <Figure beside={<Change percent={entry.profitLossPercent} />}>
          <Gain sol={entry.profitLoss} />
        </Figure>
      </TokenCell>
    </HoldingRow>
  )
})

function PortfolioCards({ summary }: { summary: PortfolioSummary | undefined }) {
  return (
    <StatCards>
      <StatCard
        label="Total Value"
        beside={
          summary && (
            <>
              <span className="nowrap">{formatUsdHint(summary.totalValue)}</span> ·{' '}
              <span
                className="nowrap"
                title={`You would get ${summary.cashOutValue} SOL for selling everything now, after fees`}
              >
                cash-out {formatSol(summary.cashOutValue)}
              </span>
            </>
          )
        }
      >
        {summary && <Sol value={summary.totalValue} hasUnit />}
      </StatCard>
      <StatCard label="24h P/L" beside={summary && <Change percent={summary.profitLossPercent24h} />}>
        {summary && (
          <>
            <Gain sol={summary.profitLoss24h} /> <small>SOL</small>
          </>
        )}
      </StatCard>
      <StatCard label="Holdings" beside={summary && `total cost ${formatSol(summary.cost)} SOL`}>
        {summary?.holdings}
      </StatCard>
    </StatCards>
  )
}

interface WorthPanelsProps {
  readonly userId: UserId
  readonly held: ReadonlySet<TokenId>
}

function WorthPanels({ userId, held }: WorthPanelsProps) {
  const query = trpc.portfolio.netWorth.useQuery()
  const { data, dataUpdatedAt } = query
  const moving = new Set([...held, ...(data?.ownTokens ?? [])])
  useRefetchOn((event) => concernsHolder(event, userId, moving), query.refetch)
  return (
    <div className="stack gap-l mb-l">
      <UnlessFailed level={2} query={query} failure="Could not load your net worth">
        <NetWorthPanel userId={userId} moving={moving} worth={data} worthAtMs={dataUpdatedAt} />
        <AllocationPanel worth={data} />
      </UnlessFailed>
    </div>
  )
}
