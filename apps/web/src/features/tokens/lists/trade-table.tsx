import { useThrottledValue } from '@mantine/hooks'
import { formatSol, formatTokens } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Trend } from '../../../components/figures/change.tsx'
import { Ago, Moment } from '../../../components/figures/moment.tsx'
import { Price } from '../../../components/figures/price.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { TokenCell, TokenRow, TokenTable } from '../../../components/tokens/token-table.tsx'
import { type TokenId, type Trade, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import classes from './trade-history.module.css'

export const TRADES_SHOWN = 20
/** Min time between two updates, in ms. Nobody could read the table if it changed faster. */
const MOVES_EVERY_MS = 250
const COLUMNS = ['Type', 'Trader', 'Amount', 'Price', 'Time']
const TRACKS = 'auto minmax(0, 1.2fr) minmax(0, 1.3fr) minmax(0, 1fr) minmax(0, 1fr)'

interface TradeTableProps {
  readonly trades: readonly Trade[]
  readonly symbol: string
  readonly ownId: number | null
  /** Time that relative times refer to, in ms since the epoch (default: now). */
  readonly atMs?: number | undefined
}

/** Lists trades, newest first. */
export function TradeTable({ trades, symbol, ownId, atMs }: TradeTableProps) {
  const shown = useThrottledValue(trades, MOVES_EVERY_MS).slice(0, TRADES_SHOWN)
  return (
    <div className={`text-s ${classes.trades}`}>
      <TokenTable label="Trading History" columns={COLUMNS} tracks={TRACKS}>
        {shown.map((trade) => (
          <TradeRow key={trade.id} trade={trade} symbol={symbol} isOwn={trade.userId === ownId} atMs={atMs} />
        ))}
      </TokenTable>
    </div>
  )
}

interface TradeRowProps {
  readonly trade: Trade
  readonly symbol: string
  readonly isOwn: boolean
  readonly atMs: number | undefined
}

const TradeRow = memo(function TradeRow({ trade, symbol, isOwn, atMs }: TradeRowProps) {
  const isBuy = trade.side === 'buy'
  return (
    <TokenRow className={isOwn ? classes.own : ''}>
      <TokenCell>
        <span className="bold">
          <Trend sign={isBuy ? 1 : -1}>{isBuy ? 'Buy' : 'Sell'}</Trend>
        </span>
      </TokenCell>
      <TokenCell>
        <PlayerLink id={trade.userId} username={trade.username} isBot={trade.isBot} />
      </TokenCell>
      <TokenCell place="right">
        <span title={`${trade.tokenAmount} ${symbol}`}>{formatTokens(trade.tokenAmount)}</span>
      </TokenCell>
      <TokenCell place="right">
        <Price value={trade.price} />
        <span className="small block" title={`${trade.solAmount} SOL`}>
          {' '}
          {formatSol(trade.solAmount)} SOL
        </span>
      </TokenCell>
      <TokenCell place="left">
        <Link
          className={`inline-block dim dotted hover-ink ${classes.time}`}
          to="/token/$id"
          params={{ id: String(trade.tokenId) }}
          search={{ at: trade.seq }}
          preload={false}
          title={`See the token right after trade #${trade.seq}`}
        >
          {atMs === undefined ? (
            <Ago time={trade.createdAt} />
          ) : (
            <Moment time={trade.createdAt}>{relativeTime(trade.createdAt, atMs)}</Moment>
          )}
        </Link>
      </TokenCell>
    </TokenRow>
  )
})

export function TradeHistory({ id, symbol }: { id: TokenId; symbol: string }) {
  const query = trpc.tokens.trades.useQuery({ id })
  const user = useCurrentUser()
  return (
    <Panel title="Trading History">
      <Fetched
        query={query}
        failure="Could not load trades"
        skeleton={<Skeleton label="Loading trades" height={210} />}
        empty={<p className="nothing">No trades yet. Be the first to trade this token!</p>}
      >
        {(trades) => <TradeTable trades={trades} symbol={symbol} ownId={user?.id ?? null} />}
      </Fetched>
    </Panel>
  )
}
