import { FetchFailed } from '../../components/fetch-failed.tsx'
import { LoginRequired } from '../../components/login-required.tsx'
import { type Dashboard as DashboardData, trpc, type UserId } from '../../lib/api.ts'
import { concernsHolder } from '../../lib/concerns-holder.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { isSignedOut } from '../../lib/failure.ts'
import { useRefetchOn } from '../../lib/use-refetch-on.ts'
import { useTitle } from '../../lib/use-title.ts'
import { DashboardHead } from './account-head.tsx'
import { CreatedTokens } from './created-tokens.tsx'
import { DashboardHoldings } from './dashboard-holdings.tsx'
import classes from './dashboard-screen.module.css'
import { PnlCards } from './pnl-cards.tsx'

/** What the player won, holds and launched, live. */
export function DashboardScreen() {
  const user = useCurrentUser()
  return user === null ? <AskForLogin /> : <Dashboard userId={user.id} />
}

function AskForLogin() {
  return <LoginRequired>Please login to see your dashboard.</LoginRequired>
}

function Dashboard({ userId }: { userId: UserId }) {
  const query = trpc.portfolio.dashboard.useQuery()
  const shown = new Set([...(query.data?.holdings ?? []), ...(query.data?.createdTokens ?? [])].map((it) => it.tokenId))
  useRefetchOn({
    concerns: (event) => query.data === undefined || concernsHolder(event, userId, shown),
    refetch: query.refetch,
  })
  useTitle('Dashboard')

  if (isSignedOut(query.error)) return <AskForLogin />
  return (
    <>
      <DashboardHead userId={userId} />
      {query.isError && query.data === undefined ? (
        <FetchFailed title="Failed to fetch dashboard" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DashboardBody dashboard={query.data} />
      )}
    </>
  )
}

function DashboardBody({ dashboard }: { dashboard: DashboardData | undefined }) {
  return (
    <>
      <PnlCards pnl={dashboard?.pnl} />
      <div className={classes.tables}>
        <DashboardHoldings holdings={dashboard?.holdings} />
        <CreatedTokens tokens={dashboard?.createdTokens} />
      </div>
    </>
  )
}
