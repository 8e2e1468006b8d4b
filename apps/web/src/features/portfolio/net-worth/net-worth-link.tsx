import { Link } from '@tanstack/react-router'
import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type TokenId, trpc, type UserId } from '../../../lib/api/api.ts'
import { formatSol, formatUsdHint } from '../../../lib/format/format.ts'
import { useRefetchOn } from '../../../lib/hooks/use-refetch-on.ts'
import { concernsHolder } from '../../../lib/live/concerns-holder.ts'
import classes from './net-worth-link.module.css'

const SOL_SHOWN = 6

interface NetWorthLinkProps {
  readonly userId: UserId
  /** The tokens the screen lists as held or created. */
  readonly shown: ReadonlySet<TokenId>
}

/** The player's net worth as one figure. The portfolio shows how it moved and what it consists of. */
export function NetWorthLink({ userId, shown }: NetWorthLinkProps) {
  const { data, isError, error, refetch } = trpc.portfolio.netWorth.useQuery()
  useRefetchOn({ concerns: (event) => concernsHolder(event, userId, shown), refetch })
  return (
    <Panel title="Net worth">
      {isError && data === undefined ? (
        <FetchFailed level={3} title="Your net worth is out of reach" error={error} onRetry={() => void refetch()} />
      ) : (
        <div>
          <p className={classes.worth}>
            {data === undefined ? (
              <Skeleton width="9em" height="1em" />
            ) : (
              <>
                <span title={`${data.netWorth} SOL`}>{formatSol(data.netWorth, SOL_SHOWN)}</span> <small>SOL</small>{' '}
                <span className={classes.dollars}>{formatUsdHint(data.netWorth)}</span>
              </>
            )}
          </p>
          <p className={classes.more}>
            <Link to="/portfolio">How it moved and what it consists of</Link>
          </p>
        </div>
      )}
    </Panel>
  )
}
