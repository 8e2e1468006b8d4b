import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { TokenRowPanel } from '../../../components/tokens/token-table.tsx'
import type { Position, Token, TokenId } from '../../../lib/api/api.ts'
import { patchSale } from './patch-sale.ts'

/** An open sale form below a holding's row. */
export interface Sale {
  readonly tokenId: TokenId
  readonly symbol: string
  readonly held: { readonly amount: string; readonly pool: Token['pool']; readonly isListed: boolean }
  /** Called after each sale with the remaining position, and the token if it has a page, else null. */
  readonly onSold: (position: Position, token: Token | null) => void
  readonly onClose: () => void
}

/** Renders the sale form, which another feature owns. */
export type RenderSale = (sale: Sale) => ReactNode

export interface Sold {
  readonly tokenId: TokenId
  readonly amount: string
  readonly pool: Token['pool']
  readonly isListed: boolean
  readonly tokenSymbol: string
}

export interface RowSales {
  readonly open: TokenId | null
  readonly toggle: (tokenId: TokenId) => void
  /** The sale form below a holding's row; null unless it is open. */
  renderPanel(holding: Sold): ReactNode
}

interface Table {
  readonly renderSale: RenderSale
  /** The holdings in display order. */
  readonly rows: readonly { readonly tokenId: TokenId }[]
  readonly heading: RefObject<HTMLHeadingElement | null>
}

/** The sale forms of a holdings table, one open at a time. Moves the focus on when a holding was sold out. */
export function useRowSales({ renderSale, rows, heading }: Table): RowSales {
  const [open, setOpen] = useState<TokenId | null>(null)
  const toggle = useCallback((tokenId: TokenId) => setOpen((before) => (before === tokenId ? null : tokenId)), [])
  const renderPanel = ({ tokenId, tokenSymbol: symbol, amount, pool, isListed }: Sold) => {
    if (tokenId !== open) return null
    const onClose = () => {
      setOpen(null)
      document.getElementById(sellButtonId(tokenId))?.focus()
    }
    const onSold = (position: Position, token: Token | null) => {
      if (position.amount === '0') setOpen(null)
      patchSale(position, token)
    }
    const moveFocus = () => {
      if (hasFocus(tokenId)) (sellButtonAfter(rows, tokenId) ?? heading.current)?.focus({ preventScroll: true })
    }
    return (
      <TokenRowPanel id={salePanelId(tokenId)}>
        {renderSale({ tokenId, symbol, held: { amount, pool, isListed }, onSold, onClose })}
        <OnRemoval run={moveFocus} />
      </TokenRowPanel>
    )
  }
  return { open, toggle, renderPanel }
}

/**
 * Calls the last `run` just before it leaves the page. The live feed may remove a holding's row before the sale is
 * answered, so the answer is too late to move the focus.
 */
function OnRemoval({ run }: { run: () => void }) {
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  useLayoutEffect(() => () => latest.current(), [])
  return null
}

/** Whether the focus is in a holding's sale form and would be lost with the row. */
function hasFocus(tokenId: TokenId): boolean {
  return document.getElementById(salePanelId(tokenId))?.contains(document.activeElement) === true
}

/** The next row's sell button; rugged tokens have none. */
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
