import { formatMarketCap, formatSol, formatTokensShort, formatUsdHint, formatWhole, NO_FIGURE } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { Fact } from '../../../components/figures/fact.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import type { Token } from '../../../lib/api/api.ts'

const SOL_SHOWN = 2

interface TokenStatsProps {
  readonly token: Token
  /** Volume in SOL (default: the token's volume), or null to show no value. */
  readonly volume24h?: string | null
}

export function TokenStats({ token, volume24h = token.volume24h }: TokenStatsProps) {
  const { id, pool, marketCap, supply, symbol } = token
  return (
    <Panel title="Pool Statistics">
      <dl className="grid gap-l cols-2">
        <Fact
          isBelow
          label="SOL reserve"
          exact={pool.solReserve}
          beside={`Players paid in ${formatSol(pool.realSol, SOL_SHOWN)} SOL`}
        >
          {formatSol(pool.solReserve, SOL_SHOWN)} SOL
        </Fact>
        <Fact
          isBelow
          label="Token reserve"
          exact={pool.tokenReserve}
          beside={`of ${formatTokensShort(supply)} ${symbol}`}
        >
          {formatWhole(pool.tokenReserve)}
        </Fact>
        <Fact isBelow label="24h volume" exact={volume24h ?? ''} beside={volume24h && formatUsdHint(volume24h)}>
          {volume24h === null ? NO_FIGURE : `${formatSol(volume24h, SOL_SHOWN)} SOL`}
        </Fact>
        <Fact isBelow label="Market cap" exact={marketCap} beside={`${formatSol(marketCap, SOL_SHOWN)} SOL`}>
          {formatMarketCap(marketCap)}
        </Fact>
      </dl>
      <p className="small breaks">
        <Link to="/proof" search={{ token: id }}>
          Verify every trade of {symbol}
        </Link>
      </p>
    </Panel>
  )
}
