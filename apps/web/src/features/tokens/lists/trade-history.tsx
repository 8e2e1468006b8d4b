import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type TokenId, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { useIsWhole } from '../../../lib/boot/use-is-whole.ts'
import classes from './trade-history.module.css'
import { TradeTable } from './trade-table.tsx'

const SKELETONS = [0, 1, 2, 3, 4]

/** The token's 20 latest trades, newest first. */
export function TradeHistory({ id, symbol }: { id: TokenId; symbol: string }) {
  const query = trpc.tokens.trades.useQuery({ id })
  const user = useCurrentUser()
  const isWhole = useIsWhole()
  return (
    <Panel title="Trading History">
      {query.isPending || !isWhole ? (
        <div role="status">
          <span className="visually-hidden">Loading trades</span>
          {SKELETONS.map((row) => (
            <div key={row} className={classes.row}>
              <Skeleton height={18} />
            </div>
          ))}
        </div>
      ) : query.isError ? (
        <FetchFailed level={3} title="No trades came" error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <p className={classes.none}>No trades yet. Be the first to trade this token!</p>
      ) : (
        <TradeTable trades={query.data} symbol={symbol} ownId={user?.id ?? null} />
      )}
    </Panel>
  )
}
