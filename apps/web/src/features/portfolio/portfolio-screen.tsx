import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { LoginRequired } from '../../components/feedback/login-required.tsx'
import { trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { isSignedOut } from '../../lib/api/failure.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { concernsHolder } from '../../lib/live/concerns-holder.ts'
import { PortfolioHead } from './account-head.tsx'
import { PortfolioTable } from './holdings/portfolio-table.tsx'
import type { RenderSale } from './holdings/use-row-sales.tsx'
import { WorthPanels } from './net-worth/worth-panels.tsx'
import { PortfolioCards } from './portfolio-cards.tsx'

/** The portfolio: totals and holdings, updated live. */
export function PortfolioScreen({ renderSale }: { renderSale: RenderSale }) {
  const user = useCurrentUser()
  return user === null ? <AskForLogin /> : <Portfolio userId={user.id} renderSale={renderSale} />
}

function AskForLogin() {
  return <LoginRequired>Please login to see your portfolio.</LoginRequired>
}

function Portfolio({ userId, renderSale }: { userId: UserId; renderSale: RenderSale }) {
  const summary = trpc.portfolio.summary.useQuery()
  const entries = trpc.portfolio.get.useQuery({})
  const refetch = () => Promise.all([summary.refetch(), entries.refetch()])
  const held = new Set(entries.data?.map((entry) => entry.tokenId))
  useRefetchOn({
    concerns: (event) => entries.data === undefined || concernsHolder(event, userId, held),
    refetch,
  })
  useTitle('Portfolio')

  const error = summary.error ?? entries.error
  if (isSignedOut(error)) return <AskForLogin />
  const isMissing = (summary.isError && summary.data === undefined) || (entries.isError && entries.data === undefined)
  return (
    <>
      <PortfolioHead />
      {isMissing ? (
        <FetchFailed title="Failed to fetch portfolio" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <PortfolioCards summary={summary.data} />
          <WorthPanels userId={userId} held={held} />
          <PortfolioTable entries={entries.data} renderSale={renderSale} />
        </>
      )}
    </>
  )
}
