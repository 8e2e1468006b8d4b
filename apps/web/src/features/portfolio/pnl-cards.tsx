import { formatUsdHint } from '@papermoon/format'
import type { ComponentProps } from 'react'
import { Gain } from '../../components/figures/gain.tsx'
import { Sol } from '../../components/figures/sol.tsx'
import { StatCard, StatCards } from '../../components/figures/stat-cards.tsx'
import type { Dashboard } from '../../lib/api/api.ts'

export function PnlCards({ pnl }: { pnl: Dashboard['pnl'] | undefined }) {
  const realized = pnl?.realizedParts
  const unrealized = pnl?.unrealizedParts
  return (
    <StatCards>
      <PnlCard
        label="Total PnL"
        sol={pnl?.total}
        beside={pnl && formatUsdHint(pnl.total)}
        parts={[
          { label: 'Realized', figure: pnl && <Gain sol={pnl.realized} /> },
          { label: 'Unrealized', figure: pnl && <Gain sol={pnl.unrealized} /> },
        ]}
      />
      <PnlCard
        label="Realized PnL"
        sol={pnl?.realized}
        beside="From closed trades"
        parts={[
          { label: 'Closed trades', figure: realized && <Gain sol={realized.closedTrades} /> },
          { label: 'Launch fees', figure: realized && <Gain sol={realized.launchFees} /> },
          { label: 'Rug pulls', figure: realized && <Gain sol={realized.rugs} /> },
        ]}
      />
      <PnlCard
        label="Unrealized PnL"
        sol={pnl?.unrealized}
        beside="Current holdings value"
        parts={[
          { label: 'Value if sold now', figure: unrealized && <Sol value={unrealized.cashOutValue} /> },
          { label: 'Total cost', figure: unrealized && <Sol value={unrealized.cost} /> },
        ]}
      />
    </StatCards>
  )
}

interface PnlCardProps {
  readonly label: string
  readonly sol: string | undefined
  readonly beside: string | undefined
  readonly parts: ComponentProps<typeof StatCard>['parts']
}

function PnlCard({ label, sol, beside, parts }: PnlCardProps) {
  return (
    <StatCard label={label} beside={beside} {...(parts && { parts })}>
      {sol === undefined ? undefined : (
        <>
          <Gain sol={sol} /> <small>SOL</small>
        </>
      )}
    </StatCard>
  )
}
