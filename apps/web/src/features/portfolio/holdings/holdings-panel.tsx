import { Fragment, type ReactNode, type RefObject, useRef } from 'react'
import { usePortion } from '../../../components/form/use-portion.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { TokenRowsSkeleton, TokenTable } from '../../../components/tokens/token-table.tsx'
import { NoHoldings } from './holding-row.tsx'
import { type RenderSale, type RowSales, type Sold, useRowSales } from './use-row-sales.tsx'

interface HoldingsPanelProps<Entry> {
  readonly holdings: readonly Entry[] | undefined
  readonly columns: readonly string[]
  readonly renderSale: RenderSale
  readonly renderRow: (holding: Entry, row: { isSelling: boolean; onSell: RowSales['toggle'] }) => ReactNode
}

export function HoldingsPanel<Entry extends Sold>({ holdings, ...table }: HoldingsPanelProps<Entry>) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Panel title="Holdings" heading={heading}>
      {holdings === undefined ? (
        <TokenRowsSkeleton label="Loading holdings" />
      ) : holdings.length === 0 ? (
        <NoHoldings />
      ) : (
        <HoldingsTable holdings={holdings} heading={heading} {...table} />
      )}
    </Panel>
  )
}

interface HoldingsTableProps<Entry> extends HoldingsPanelProps<Entry> {
  readonly holdings: readonly Entry[]
  readonly heading: RefObject<HTMLHeadingElement | null>
}

function HoldingsTable<Entry extends Sold>(props: HoldingsTableProps<Entry>) {
  const { holdings, columns, renderSale, renderRow, heading } = props
  const { shown, more } = usePortion(holdings)
  const sales = useRowSales({ renderSale, rows: shown, heading })
  return (
    <>
      <TokenTable label="Holdings" columns={columns} action="Sell">
        {shown.map((holding) => (
          <Fragment key={holding.tokenId}>
            {renderRow(holding, { isSelling: holding.tokenId === sales.open, onSell: sales.toggle })}
            {sales.renderPanel(holding)}
          </Fragment>
        ))}
      </TokenTable>
      {more}
    </>
  )
}
