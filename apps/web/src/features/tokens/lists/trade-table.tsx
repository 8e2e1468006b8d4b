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
import { type TokenId, type Trade, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import classes from './trade-history.module.css'

export const TRADES_SHOWN = 20
/** Min time between two updates, in ms. Nobody could read the table if it changed faster. */
const MOVES_EVERY_MS = 250
const COLUMNS = ['Type', 'Trader', 'Amount', 'Price', 'Time']

interface TradeTableProps {
  readonly trades: readonly Trade[]
  readonly symbol: string
  readonly ownId: number | null
  /** Time that relative times refer to, in ms since the epoch (default: now). */
  readonly atMs?: number | undefined
}

/**
 * Lists trades, newest first. Sets the roles explicitly, because browsers ignore the table semantics of elements with
 * `display: grid`.
 */
export function TradeTable({ trades, symbol, ownId, atMs }: TradeTableProps) {
  const shown = useThrottledValue(trades, MOVES_EVERY_MS).slice(0, TRADES_SHOWN)
  return (
    // biome-ignore-start lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; nothing in it is edited.
    <div className={`grid text-s ${classes.table}`} role="table" aria-label="Trading History">
      <div className={`grid all-cols ${classes.group}`} role="rowgroup">
        <div
          className={`grid all-cols middle p-xs-s control round-s ${classes.row} small semibold ${classes.head}`}
          role="row"
        >
          {COLUMNS.map((column, index) => (
            <span key={column} className={index >= 2 ? 'text-right' : 'cut'} role="columnheader">
              {column}
            </span>
          ))}
        </div>
      </div>
      <div className={`grid all-cols ${classes.group}`} role="rowgroup">
        {shown.map((trade) => (
          <TradeRow key={trade.id} trade={trade} symbol={symbol} isOwn={trade.userId === ownId} atMs={atMs} />
        ))}
      </div>
    </div>
    // biome-ignore-end lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above.
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
    // biome-ignore-start lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see the table.
    <div className={`grid all-cols middle p-xs-s control round-s ${classes.row}`} role="row" data-own={isOwn}>
      <span className="cut bold" role="cell">
        <Trend sign={isBuy ? 1 : -1}>{isBuy ? 'Buy' : 'Sell'}</Trend>
      </span>
      <span className="cut flex" role="cell">
        <PlayerLink id={trade.userId} username={trade.username} isBot={trade.isBot} />
      </span>
      <span className={`cut text-right ${classes.amount}`} role="cell">
        <span title={`${trade.tokenAmount} ${symbol}`}>{formatTokens(trade.tokenAmount)}</span>
      </span>
      <span className={`cut text-right ${classes.price}`} role="cell">
        <Price value={trade.price} />
        <span className={`small block ${classes.beside}`} title={`${trade.solAmount} SOL`}>
          {' '}
          {formatSol(trade.solAmount)} SOL
        </span>
      </span>
      <span className={`cut dim text-right ${classes.time}`} role="cell">
        <Link
          className={`dotted hover-ink ${classes.moment}`}
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
      </span>
    </div>
    // biome-ignore-end lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see the table.
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
