import { formatMarketCap, formatSol, formatTokensShort, formatUsdHint, formatWhole, NO_FIGURE } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Panel } from '../../../components/layout/panel.tsx'
import type { Token } from '../../../lib/api/api.ts'
import classes from './token-stats.module.css'

const SOL_SHOWN = 2

interface TokenStatsProps {
  readonly token: Token
  /** SOL; null shows no figure. The token's by default. */
  readonly volume24h?: string | null
}

/** Pool reserves, volume and market cap. */
export function TokenStats({ token, volume24h = token.volume24h }: TokenStatsProps) {
  const { id, pool, marketCap, supply, symbol } = token
  return (
    <Panel title="Pool Statistics">
      <dl className={classes.stats}>
        <Stat
          label="SOL reserve"
          exact={pool.solReserve}
          beside={`${formatSol(pool.realSol, SOL_SHOWN)} paid in by players`}
        >
          {formatSol(pool.solReserve, SOL_SHOWN)} SOL
        </Stat>
        <Stat label="Token reserve" exact={pool.tokenReserve} beside={`of ${formatTokensShort(supply)} ${symbol}`}>
          {formatWhole(pool.tokenReserve)}
        </Stat>
        {volume24h === null ? (
          <Stat label="24h volume" exact="" beside="">
            {NO_FIGURE}
          </Stat>
        ) : (
          <Stat label="24h volume" exact={volume24h} beside={formatUsdHint(volume24h)}>
            {formatSol(volume24h, SOL_SHOWN)} SOL
          </Stat>
        )}
        <Stat label="Market cap" exact={marketCap} beside={`${formatSol(marketCap, SOL_SHOWN)} SOL`}>
          {formatMarketCap(marketCap)}
        </Stat>
      </dl>
      <p className={classes.proof}>
        <Link to="/proof" search={{ token: id }}>
          Verify every trade of {symbol}
        </Link>
      </p>
    </Panel>
  )
}

interface StatProps {
  readonly label: string
  readonly exact: string
  readonly beside: string
  readonly children: ReactNode
}

function Stat({ label, exact, beside, children }: StatProps) {
  return (
    <div className={classes.stat}>
      <dt>{label}</dt>
      <dd title={exact}>
        {children}
        <span className={classes.beside}>{beside}</span>
      </dd>
    </div>
  )
}
