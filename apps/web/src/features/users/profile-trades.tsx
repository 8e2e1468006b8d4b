import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { Ago } from '../../components/figures/ago.tsx'
import { Figure } from '../../components/figures/figure.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { TokenRowsSkeleton } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import { type PlayerTrade, type TokenId, trpc, type UserId } from '../../lib/api/api.ts'
import { formatSol, formatTokens } from '../../lib/format/format.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { concernsHolder } from '../../lib/live/concerns-holder.ts'
import type { MarketEvent } from '../../lib/live/live-events.ts'
import classes from './profile-list.module.css'

const SOL_SHOWN = 6

/** A player's latest trades, live. */
export function ProfileTrades({ id }: { id: UserId }) {
  const { data, isError, error, refetch } = trpc.users.trades.useQuery({ id })
  // Of other players' events, only rug pulls of tokens listed here matter.
  const tokens = (event: MarketEvent) =>
    new Set<TokenId>(event.type === 'rug_pull' ? data?.map(({ tokenId }) => tokenId) : [])
  useRefetchOn({ concerns: (event) => concernsHolder(event, id, tokens(event)), refetch })
  return (
    <Panel title="Recent Trades">
      {data === undefined ? (
        isError ? (
          <FetchFailed level={3} title="The trades did not come" error={error} onRetry={() => void refetch()} />
        ) : (
          <TokenRowsSkeleton label="Loading trades" />
        )
      ) : data.length === 0 ? (
        <div className={classes.none}>
          <p>No trades yet</p>
        </div>
      ) : (
        <ul className={classes.list}>
          {data.map((trade) => (
            <TradeLine key={trade.id} trade={trade} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function TradeLine({ trade }: { trade: PlayerTrade }) {
  const { tokenId, tokenName, tokenSymbol, emoji, side, solAmount, tokenAmount, createdAt, ruggedAt } = trade
  return (
    <li className={classes.line}>
      <span className={classes.token}>
        <TokenTag id={tokenId} emoji={emoji} name={tokenName} symbol={tokenSymbol} rugged={ruggedAt !== null}>
          <span className={classes.amount}>
            <Ago time={createdAt} />
          </span>
        </TokenTag>
      </span>
      <span className={classes.figures}>
        <Figure
          beside={
            <span title={tokenAmount}>
              {side === 'buy' ? 'bought' : 'sold'} {formatTokens(tokenAmount)}
            </span>
          }
        >
          <span title={`${solAmount} SOL`}>{formatSol(solAmount, SOL_SHOWN)}</span> SOL
        </Figure>
      </span>
    </li>
  )
}
