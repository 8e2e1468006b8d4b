import { Gain } from '../../components/gain.tsx'
import { StatCard, StatCards } from '../../components/stat-cards.tsx'
import type { Dashboard } from '../../lib/api.ts'
import { formatUsdHint } from '../../lib/format.ts'

/** What the player won or lost; undefined while it is fetched. */
export function PnlCards({ pnl }: { pnl: Dashboard['pnl'] | undefined }) {
  return (
    <StatCards>
      <PnlCard label="Total PnL" sol={pnl?.total} beside={pnl && formatUsdHint(pnl.total)} />
      <PnlCard label="Realized PnL" sol={pnl?.realized} beside="From closed trades" />
      <PnlCard label="Unrealized PnL" sol={pnl?.unrealized} beside="Current holdings value" />
    </StatCards>
  )
}

function PnlCard({ label, sol, beside }: { label: string; sol: string | undefined; beside: string | undefined }) {
  return (
    <StatCard label={label} beside={beside}>
      {sol === undefined ? undefined : (
        <>
          <Gain sol={sol} /> <small>SOL</small>
        </>
      )}
    </StatCard>
  )
}
