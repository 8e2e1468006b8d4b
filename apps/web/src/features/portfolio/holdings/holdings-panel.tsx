import { Fragment, type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { ListPanel } from '../../../components/tokens/list-panel.tsx'
import { TokenRowPanel, TokenTable } from '../../../components/tokens/token-table.tsx'
import type { Position, Token, TokenId } from '../../../lib/api/api.ts'
import { RowSale } from '../../trading/sale/row-sale.tsx'
import { NoHoldings, salePanelId, sellButtonId } from './holding-row.tsx'
import { patchSale } from './patch-sale.ts'

interface Sold {
  readonly tokenId: TokenId
  readonly amount: string
  readonly pool: Token['pool']
  readonly isListed: boolean
  readonly tokenSymbol: string
}

interface HoldingsPanelProps<Entry> {
  readonly holdings: readonly Entry[] | undefined
  readonly columns: readonly string[]
  readonly renderRow: (holding: Entry, row: { isSelling: boolean; onSell: (tokenId: TokenId) => void }) => ReactNode
}

export function HoldingsPanel<Entry extends Sold>({ holdings, ...table }: HoldingsPanelProps<Entry>) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <ListPanel title="Holdings" heading={heading} items={holdings} empty={<NoHoldings />}>
      {(shown) => <HoldingsTable shown={shown} heading={heading} {...table} />}
    </ListPanel>
  )
}

interface HoldingsTableProps<Entry> extends Omit<HoldingsPanelProps<Entry>, 'holdings'> {
  readonly shown: readonly Entry[]
  /** The panel's heading, which takes the focus when the table disappears. */
  readonly heading: RefObject<HTMLHeadingElement | null>
}

/**
 * The table of holdings. At most one sale form is open. The table moves the focus when the player sells a whole
 * holding.
 */
function HoldingsTable<Entry extends Sold>(props: HoldingsTableProps<Entry>) {
  const { shown, columns, renderRow, heading } = props
  const [open, setOpen] = useState<TokenId | null>(null)
  const toggle = useCallback((tokenId: TokenId) => setOpen((before) => (before === tokenId ? null : tokenId)), [])
  const renderPanel = ({ tokenId, tokenSymbol: symbol, amount, pool, isListed }: Sold) => {
    const onClose = () => {
      setOpen(null)
      document.getElementById(sellButtonId(tokenId))?.focus()
    }
    const onSold = (position: Position, token: Token | null) => {
      if (position.amount === '0') setOpen(null)
      patchSale(position, token)
    }
    const moveFocus = () => {
      if (hasFocus(tokenId)) (sellButtonAfter(shown, tokenId) ?? heading.current)?.focus({ preventScroll: true })
    }
    return (
      <TokenRowPanel id={salePanelId(tokenId)}>
        <RowSale {...{ tokenId, symbol, onSold, onClose }} held={{ amount, pool, isListed }} />
        <BeforeUnmount run={moveFocus} />
      </TokenRowPanel>
    )
  }
  return (
    <TokenTable label="Holdings" columns={columns} action="Sell">
      {shown.map((holding) => (
        <Fragment key={holding.tokenId}>
          {renderRow(holding, { isSelling: holding.tokenId === open, onSell: toggle })}
          {holding.tokenId === open && renderPanel(holding)}
        </Fragment>
      ))}
    </TokenTable>
  )
}

/**
 * Calls the latest `run` just before the component is removed from the page. The live feed may remove a holding's row
 * before the response to the sale arrives. By the time of that response, it would be too late to move the focus.
 */
function BeforeUnmount({ run }: { run: () => void }) {
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  useLayoutEffect(() => () => latest.current(), [])
  return null
}

/** Returns whether a holding's sale form has the focus, which would be lost together with the row. */
function hasFocus(tokenId: TokenId): boolean {
  return document.getElementById(salePanelId(tokenId))?.contains(document.activeElement) === true
}

/** Returns the sell button of the next row that has one, because rows of rugged tokens have no sell button. */
function sellButtonAfter(rows: readonly Pick<Sold, 'tokenId'>[], tokenId: TokenId): HTMLElement | null {
  const following = rows.slice(rows.findIndex((row) => row.tokenId === tokenId) + 1)
  for (const row of following) {
    const button = document.getElementById(sellButtonId(row.tokenId))
    if (button !== null) return button
  }
  return null
}
