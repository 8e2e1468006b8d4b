import { Fragment, type RefObject, useRef } from 'react'
import { usePortion } from '../../../components/form/use-portion.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { TokenRowsSkeleton, TokenTable } from '../../../components/tokens/token-table.tsx'
import type { Dashboard } from '../../../lib/api/api.ts'
import { HoldingRow, NoHoldings } from './holding-row.tsx'
import { type RenderSale, useRowSales } from './use-row-sales.tsx'

const COLUMNS = ['Token', 'Amount', 'Price', 'Value']

type Holdings = Dashboard['holdings']

interface DashboardHoldingsProps {
  /** Undefined while loading. */
  readonly holdings: Holdings | undefined
  readonly renderSale: RenderSale
}

/** The dashboard's table of holdings. */
export function DashboardHoldings({ holdings, renderSale }: DashboardHoldingsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Panel title="Holdings" heading={heading}>
      {holdings === undefined ? (
        <TokenRowsSkeleton label="Loading holdings" />
      ) : holdings.length === 0 ? (
        <NoHoldings />
      ) : (
        <HoldingsTable holdings={holdings} renderSale={renderSale} heading={heading} />
      )}
    </Panel>
  )
}

interface HoldingsTableProps {
  readonly holdings: Holdings
  readonly renderSale: RenderSale
  readonly heading: RefObject<HTMLHeadingElement | null>
}

function HoldingsTable({ holdings, renderSale, heading }: HoldingsTableProps) {
  const { shown, more } = usePortion(holdings)
  const sales = useRowSales({ renderSale, rows: shown, heading })
  return (
    <>
      <TokenTable label="Holdings" columns={COLUMNS} action="Sell">
        {shown.map((holding) => (
          <Fragment key={holding.tokenId}>
            <HoldingRow
              holding={holding}
              value={holding.currentValue}
              isSelling={holding.tokenId === sales.open}
              onSell={sales.toggle}
            />
            {sales.renderPanel(holding)}
          </Fragment>
        ))}
      </TokenTable>
      {more}
    </>
  )
}
