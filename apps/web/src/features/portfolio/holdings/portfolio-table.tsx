import { Fragment, memo, type RefObject, useRef } from 'react'
import { Change } from '../../../components/figures/change.tsx'
import { Figure } from '../../../components/figures/figure.tsx'
import { Gain } from '../../../components/figures/gain.tsx'
import { usePortion } from '../../../components/form/use-portion.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { TokenCell, TokenRowsSkeleton, TokenTable } from '../../../components/tokens/token-table.tsx'
import type { PortfolioEntry } from '../../../lib/api/api.ts'
import { HoldingRow, NoHoldings } from './holding-row.tsx'
import { type RenderSale, type RowSales, useRowSales } from './use-row-sales.tsx'

const COLUMNS = ['Token', 'Amount', 'Price', 'Value', 'P/L']

interface PortfolioTableProps {
  /** Undefined while loading. */
  readonly entries: readonly PortfolioEntry[] | undefined
  readonly renderSale: RenderSale
}

/** The portfolio's table: every holding with its profit or loss. */
export function PortfolioTable({ entries, renderSale }: PortfolioTableProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Panel title="Holdings" heading={heading}>
      {entries === undefined ? (
        <TokenRowsSkeleton label="Loading holdings" />
      ) : entries.length === 0 ? (
        <NoHoldings />
      ) : (
        <Entries entries={entries} renderSale={renderSale} heading={heading} />
      )}
    </Panel>
  )
}

interface EntriesProps {
  readonly entries: readonly PortfolioEntry[]
  readonly renderSale: RenderSale
  readonly heading: RefObject<HTMLHeadingElement | null>
}

function Entries({ entries, renderSale, heading }: EntriesProps) {
  const { shown, more } = usePortion(entries)
  const sales = useRowSales({ renderSale, rows: shown, heading })
  return (
    <>
      <TokenTable label="Holdings" columns={COLUMNS} action="Sell">
        {shown.map((entry) => (
          <Fragment key={entry.tokenId}>
            <EntryRow entry={entry} isSelling={entry.tokenId === sales.open} onSell={sales.toggle} />
            {sales.renderPanel(entry)}
          </Fragment>
        ))}
      </TokenTable>
      {more}
    </>
  )
}

interface EntryRowProps {
  readonly entry: PortfolioEntry
  readonly isSelling: boolean
  readonly onSell: RowSales['toggle']
}

const EntryRow = memo(function EntryRow({ entry, isSelling, onSell }: EntryRowProps) {
  return (
    <HoldingRow holding={entry} value={entry.totalValue} isSelling={isSelling} onSell={onSell}>
      <TokenCell place="right">
        <Figure beside={<Change percent={entry.profitLossPercent} />}>
          <Gain sol={entry.profitLoss} />
        </Figure>
      </TokenCell>
    </HoldingRow>
  )
})
