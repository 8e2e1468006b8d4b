import { Panel } from '../../components/panel.tsx'
import { TokenRowsSkeleton, TokenTable } from '../../components/token-table.tsx'
import { usePortion } from '../../components/use-portion.tsx'
import type { Dashboard } from '../../lib/api.ts'
import { HoldingRow } from './holding-row.tsx'
import { NoHoldings } from './no-holdings.tsx'

const COLUMNS = ['Token', 'Amount', 'Price', 'Value']

type Holdings = Dashboard['holdings']

/** What the player holds; undefined while it is fetched. */
export function DashboardHoldings({ holdings }: { holdings: Holdings | undefined }) {
  return (
    <Panel title="Holdings">
      {holdings === undefined ? (
        <TokenRowsSkeleton label="Loading holdings" />
      ) : holdings.length === 0 ? (
        <NoHoldings />
      ) : (
        <HoldingsTable holdings={holdings} />
      )}
    </Panel>
  )
}

function HoldingsTable({ holdings }: { holdings: Holdings }) {
  const { shown, more } = usePortion(holdings)
  return (
    <>
      <TokenTable label="Holdings" columns={COLUMNS}>
        {shown.map((holding) => (
          <HoldingRow key={holding.tokenId} holding={holding} value={holding.currentValue} />
        ))}
      </TokenTable>
      {more}
    </>
  )
}
