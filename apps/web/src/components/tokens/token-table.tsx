import type { ReactNode } from 'react'
import { Skeleton } from '../feedback/skeleton.tsx'
import classes from './token-table.module.css'

/** Max number of columns that the layout supports. */
const COLUMNS_MAX = 6

interface TokenTableProps {
  readonly label: string
  /** Column labels. The first column shows the token, and the others show values. */
  readonly columns: readonly string[]
  /** Widths of the columns, if the first column is not the widest. */
  readonly tracks?: string
  /** Label of the action column for screen readers. If the label is undefined, the table has no action column. */
  readonly action?: string
  readonly children: ReactNode
}

/* Set the roles explicitly, because browsers ignore the table semantics of elements with `display: grid`. */
/* biome-ignore-start lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; nothing in it is edited. */

/** A table that shows one token or trade per row. On phones, a row wraps to several lines. */
export function TokenTable({ label, columns, tracks, action, children }: TokenTableProps) {
  return (
    <div
      className={`grid ${classes.table}`}
      style={{ gridTemplateColumns: tracks ?? toTracks(columns.length, action !== undefined) }}
      data-columns={tracks === undefined ? columns.length : undefined}
      role="table"
      aria-label={label}
    >
      <div className={`grid all-cols ${classes.group}`} role="rowgroup">
        <div
          className={`grid all-cols px-s middle ${classes.row} small torn-bottom semibold ${classes.head}`}
          role="row"
        >
          {columns.map((column) => (
            <span key={column} role="columnheader">
              {column}
            </span>
          ))}
          {action !== undefined && (
            <span role="columnheader">
              <span className="visually-hidden">{action}</span>
            </span>
          )}
        </div>
      </div>
      <div className={`grid all-cols ruled ${classes.group}`} role="rowgroup">
        {children}
      </div>
    </div>
  )
}

/** Returns the grid's column widths. The name's column is the widest. An action's column is as wide as its button. */
function toTracks(columns: number, hasAction: boolean): string {
  return `minmax(0, 1.5fr) repeat(${columns - 1}, minmax(0, 1.1fr))${hasAction ? ' auto' : ''}`
}

/** A row of the table. If its first cell is a link to a token, that link covers the row. */
export function TokenRow({ className = '', children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <div
      className={`grid all-cols px-s middle ${classes.row} round-s hover-raised row-high relative ${classes.line} ${className}`}
      role="row"
    >
      {children}
    </div>
  )
}

interface TokenCellProps {
  /**
   * Position of the cell on phones: left under the name, or right. `action` cells can be clicked above the row's link.
   */
  readonly place?: 'left' | 'right' | 'action'
  readonly children: ReactNode
}

/** The first cell in a row needs no `place`. */
export function TokenCell({ place, children }: TokenCellProps) {
  return (
    <span className={`fit ${classes.cell}`} data-place={place ?? 'first'} role="cell">
      {children}
    </span>
  )
}

/** A panel that opens below a row and is as wide as the table. */
export function TokenRowPanel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className={`p-m-l round-s on-raised all-cols ${classes.opened}`} role="row">
      <div role="cell" aria-colspan={COLUMNS_MAX}>
        {children}
      </div>
    </div>
  )
}

/* biome-ignore-end lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above. */

export function TokenRowsSkeleton({ label }: { label: string }) {
  return <Skeleton label={label} height="calc(4 * var(--pm-row))" />
}
