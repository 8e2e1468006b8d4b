import { Link } from '@tanstack/react-router'
import { Trend } from '../../components/figures/change.tsx'
import { Sol } from '../../components/figures/sol.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import { trpc } from '../../lib/api/api.ts'

const SHOWN = 12

/** Shows the newest trades in a fair, live. */
export function FairTrades({ id }: { id: number }) {
  const { data } = trpc.fairs.trades.useQuery({ id, limit: SHOWN })
  return (
    <Panel title="Live trades">
      {data?.trades.length === 0 && <p className="dim">Nobody has traded yet.</p>}
      <ol className="stack gap-s text-s">
        {data?.trades.map((trade) => (
          <li key={trade.id} className="row baseline gap-s between fit" data-side={trade.side}>
            <span className="cut">
              <PlayerLink id={trade.userId} username={trade.username} isBot={trade.isBot} />
            </span>
            <span className="nowrap">
              <Trend sign={trade.side === 'buy' ? 1 : -1}>
                <span className="visually-hidden">{trade.side === 'buy' ? 'bought' : 'sold'}</span>
              </Trend>
              <Link to="/token/$id" params={{ id: String(trade.tokenId) }} title={trade.tokenName}>
                {trade.emoji} {trade.tokenSymbol}
              </Link>{' '}
              <b>
                <Sol value={trade.solAmount} digits={2} />
              </b>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
