import { Decimal } from '@papermoon/amm'
import type { CSSProperties } from 'react'
import { FetchFailed } from '../../components/fetch-failed.tsx'
import { Panel } from '../../components/panel.tsx'
import { PlayerLink } from '../../components/player-link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type Holder, type Token, trpc } from '../../lib/api.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { formatTokens } from '../../lib/format.ts'
import classes from './top-holders.module.css'

const SHOWN = 20
const SKELETONS = [0, 1, 2, 3]

/** Who holds most of a token: the first 20. */
export function TopHolders({ token }: { token: Token }) {
  const query = trpc.tokens.holders.useQuery({ id: token.id })
  return (
    <Panel title="Top Holders">
      {query.isPending ? (
        <div role="status">
          <span className="visually-hidden">Loading holders</span>
          {SKELETONS.map((row) => (
            <div key={row} className={classes.holder}>
              <Skeleton width="100%" height={18} />
            </div>
          ))}
        </div>
      ) : query.isError ? (
        <FetchFailed level={3} title="No holders came" error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <p className={classes.none}>No holders yet</p>
      ) : (
        <HolderList holders={query.data.slice(0, SHOWN)} token={token} />
      )}
    </Panel>
  )
}

function HolderList({ holders, token }: { holders: readonly Holder[]; token: Token }) {
  const user = useCurrentUser()
  return (
    <ol className={classes.list}>
      {holders.map(({ userId, username, rank, amount }) => {
        const share = new Decimal(amount).div(token.supply)
        return (
          <li key={userId} className={classes.holder}>
            <span
              className={classes.strip}
              style={{ '--share': share.toFixed(4) } as CSSProperties}
              aria-hidden="true"
            />
            <span className={classes.rank} data-rank={rank}>
              {rank}
            </span>
            <span className={classes.name}>
              <PlayerLink id={userId} username={username} />
              {userId === token.creator.id && <span className={classes.tag}>creator</span>}
              {userId === user?.id && <span className={classes.tag}>you</span>}
            </span>
            <span
              className={classes.amount}
              title={`${amount} ${token.symbol}, ${share.mul(100).toFixed(2)}% of the supply`}
            >
              {formatTokens(amount)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
