import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { type TokenId, trpc, type UserId } from '../../../lib/api/api.ts'
import { useRefetchOn } from '../../../lib/hooks/use-refetch-on.ts'
import { concernsHolder } from '../../../lib/live/concerns-holder.ts'
import { AllocationPanel } from '../holdings/allocation-panel.tsx'
import { NetWorthPanel } from './net-worth-panel.tsx'
import classes from './worth-panels.module.css'

interface WorthPanelsProps {
  readonly userId: UserId
  /** The tokens the screen lists as held. */
  readonly held: ReadonlySet<TokenId>
}

/** The player's net worth: its history and its parts. */
export function WorthPanels({ userId, held }: WorthPanelsProps) {
  const { data, dataUpdatedAt, isError, error, refetch } = trpc.portfolio.netWorth.useQuery()
  const moving = new Set([...held, ...(data?.ownTokens ?? [])])
  useRefetchOn({ concerns: (event) => concernsHolder(event, userId, moving), refetch })
  if (isError && data === undefined) {
    return (
      <div className={classes.failed}>
        <FetchFailed level={2} title="Your net worth is out of reach" error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  return (
    <div className={classes.panels}>
      <NetWorthPanel userId={userId} moving={moving} worth={data} worthAtMs={dataUpdatedAt} />
      <AllocationPanel worth={data} />
    </div>
  )
}
