import { type ReactNode, type RefObject, useCallback, useState } from 'react'
import { TokenRowPanel } from '../../../components/tokens/token-table.tsx'
import type { Position, Token, TokenId } from '../../../lib/api/api.ts'
import { patchSale } from './patch-sale.ts'

/** A sale that is open under a holding's line. */
export interface Sale {
  readonly tokenId: TokenId
  readonly symbol: string
  /** What the list knows of the holding. */
  readonly held: { readonly amount: string; readonly pool: Token['pool']; readonly isListed: boolean }
  /** After each sale: what the player has now, and the token as the page knows it; null for one without a page. */
  readonly onSold: (position: Position, token: Token | null) => void
  readonly onClose: () => void
}

/** What another feature brings to sell a holding with. */
export type RenderSale = (sale: Sale) => ReactNode

interface Sold {
  readonly tokenId: TokenId
  readonly amount: string
  readonly pool: Token['pool']
  readonly isListed: boolean
  readonly tokenSymbol: string
}

export interface RowSales {
  /** The holding whose sale is open. */
  readonly open: TokenId | null
  /** Opens the sale of a holding, or closes it. */
  readonly toggle: (tokenId: TokenId) => void
  /** What stands under the holding's line; null unless its sale is open. */
  panelOf(holding: Sold): ReactNode
}

interface Table {
  readonly renderSale: RenderSale
  /** The holdings in their order. */
  readonly rows: readonly { readonly tokenId: TokenId }[]
  /** Of the section that the table stands in; it outlives the table. */
  readonly heading: RefObject<HTMLHeadingElement | null>
}

/** The sales of a table of holdings: one is open at a time. The focus of one that sold everything goes on from there. */
export function useRowSales({ renderSale, rows, heading }: Table): RowSales {
  const [open, setOpen] = useState<TokenId | null>(null)
  const toggle = useCallback((tokenId: TokenId) => setOpen((before) => (before === tokenId ? null : tokenId)), [])
  const panelOf = ({ tokenId, tokenSymbol: symbol, amount, pool, isListed }: Sold) => {
    if (tokenId !== open) return null
    const onClose = () => {
      setOpen(null)
      document.getElementById(sellButtonId(tokenId))?.focus()
    }
    const onSold = (position: Position, token: Token | null) => {
      if (position.amount === '0') {
        setOpen(null)
        if (hasFocus(tokenId)) (sellButtonAfter(rows, tokenId) ?? heading.current)?.focus({ preventScroll: true })
      }
      patchSale(position, token)
    }
    return (
      <TokenRowPanel id={salePanelId(tokenId)}>
        {renderSale({ tokenId, symbol, held: { amount, pool, isListed }, onSold, onClose })}
      </TokenRowPanel>
    )
  }
  return { open, toggle, panelOf }
}

/** Whether the focus is in the sale of a holding: it goes with that, and would begin at the top of the page again. */
function hasFocus(tokenId: TokenId): boolean {
  return document.getElementById(salePanelId(tokenId))?.contains(document.activeElement) === true
}

/** The next button that sells; what is rugged has none. */
function sellButtonAfter(rows: Table['rows'], tokenId: TokenId): HTMLElement | null {
  const following = rows.slice(rows.findIndex((row) => row.tokenId === tokenId) + 1)
  for (const row of following) {
    const button = document.getElementById(sellButtonId(row.tokenId))
    if (button !== null) return button
  }
  return null
}

export function sellButtonId(tokenId: TokenId): string {
  return `sell-${tokenId}`
}

export function salePanelId(tokenId: TokenId): string {
  return `sale-of-${tokenId}`
}
