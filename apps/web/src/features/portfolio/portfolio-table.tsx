import { memo } from 'react'
import { Change } from '../../components/change.tsx'
import { Figure } from '../../components/figure.tsx'
import { Gain } from '../../components/gain.tsx'
import { Panel } from '../../components/panel.tsx'
import { TokenCell, TokenRowsSkeleton, TokenTable } from '../../components/token-table.tsx'
import { usePortion } from '../../components/use-portion.tsx'
import type { PortfolioEntry } from '../../lib/api.ts'
import { HoldingRow } from './holding-row.tsx'
import { NoHoldings } from './no-holdings.tsx'

const COLUMNS = ['Token', 'Amount', 'Price', 'Value', 'P/L']

/** Every holding with what it brought; undefined while they are fetched. */
export function PortfolioTable({ entries }: { entries: readonly PortfolioEntry[] | undefined }) {
  return (
    <Panel title="Holdings">
      {entries === undefined ? (
        <TokenRowsSkeleton label="Loading holdings" />
      ) : entries.length === 0 ? (
        <NoHoldings />
      ) : (
        <Entries entries={entries} />
      )}
    </Panel>
  )
}

function Entries({ entries }: { entries: readonly PortfolioEntry[] }) {
  const { shown, more } = usePortion(entries)
  return (
    <>
      <TokenTable label="Holdings" columns={COLUMNS}>
        {shown.map((entry) => (
          <EntryRow key={entry.tokenId} entry={entry} />
        ))}
      </TokenTable>
      {more}
    </>
  )
}

const EntryRow = memo(function EntryRow({ entry }: { entry: PortfolioEntry }) {
  return (
    <HoldingRow holding={entry} value={entry.totalValue}>
      <TokenCell place="right">
        <Figure beside={<Change percent={entry.profitLossPercent} />}>
          <Gain sol={entry.profitLoss} />
        </Figure>
      </TokenCell>
    </HoldingRow>
  )
})
