import { Change } from '../../components/figures/change.tsx'
import { Gain } from '../../components/figures/gain.tsx'
import { StatCard, StatCards } from '../../components/figures/stat-cards.tsx'
import type { PortfolioSummary } from '../../lib/api/api.ts'
import { formatSol, formatUsdHint } from '../../lib/format/format.ts'
import classes from './portfolio-cards.module.css'

const SOL_SHOWN = 6

/** The portfolio's totals; undefined while loading. */
export function PortfolioCards({ summary }: { summary: PortfolioSummary | undefined }) {
  return (
    <StatCards>
      <StatCard
        label="Total Value"
        beside={
          summary && (
            <>
              <span className={classes.whole}>{formatUsdHint(summary.totalValue)}</span> ·{' '}
              <span
                className={classes.whole}
                title={`Selling it all now pays ${summary.cashOutValue} SOL after the fees`}
              >
                cash-out {formatSol(summary.cashOutValue, SOL_SHOWN)}
              </span>
            </>
          )
        }
      >
        {summary && (
          <>
            <span title={`${summary.totalValue} SOL`}>{formatSol(summary.totalValue, SOL_SHOWN)}</span>{' '}
            <small>SOL</small>
          </>
        )}
      </StatCard>
      <StatCard label="24h P/L" beside={summary && <Change percent={summary.profitLossPercent24h} />}>
        {summary && (
          <>
            <Gain sol={summary.profitLoss24h} /> <small>SOL</small>
          </>
        )}
      </StatCard>
      <StatCard label="Holdings" beside={summary && `for ${formatSol(summary.cost, SOL_SHOWN)} SOL in all`}>
        {summary?.holdings}
      </StatCard>
    </StatCards>
  )
}
