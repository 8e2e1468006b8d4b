import type { ReactNode } from 'react'
import { Skeleton } from '../feedback/skeleton.tsx'
import classes from './token-table.module.css'

const SKELETONS = [0, 1, 2, 3]
/** More than any table has. */
const COLUMNS_MAX = 6

interface TokenTableProps {
  readonly label: string
  /** The first is the token; the others are figures. */
  readonly columns: readonly string[]
  /** What the buttons at the end of the rows do, where they have some: a column without a heading to be seen. */
  readonly action?: string
  readonly children: ReactNode
}

/* Roles stand in the markup because a table that is laid out as a grid loses them in some browsers. */
/* biome-ignore-start lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; nothing in it is edited. */

/** A table whose rows lead to tokens; on phones a row takes several lines. */
export function TokenTable({ label, columns, action, children }: TokenTableProps) {
  return (
    <div
      className={classes.table}
      data-columns={columns.length}
      data-action={action !== undefined}
      role="table"
      aria-label={label}
    >
      <div className={classes.group} role="rowgroup">
        <div className={`${classes.row} ${classes.head}`} role="row">
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
      <div className={classes.group} role="rowgroup">
        {children}
      </div>
    </div>
  )
}

/** A row; the link of its first cell covers it. */
export function TokenRow({ children }: { children: ReactNode }) {
  return (
    <div className={`${classes.row} ${classes.line}`} role="row">
      {children}
    </div>
  )
}

interface TokenCellProps {
  /** Where a phone puts it: left under the name, or right. An action is a button of its own beside the row's link. */
  readonly place?: 'left' | 'right' | 'action'
  readonly children: ReactNode
}

/** A cell; without a place, the first one. */
export function TokenCell({ place, children }: TokenCellProps) {
  return (
    <span className={classes.cell} data-place={place ?? 'first'} role="cell">
      {children}
    </span>
  )
}

/** What is opened under a row, over all its columns. */
export function TokenRowPanel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className={classes.opened} role="row">
      <div role="cell" aria-colspan={COLUMNS_MAX}>
        {children}
      </div>
    </div>
  )
}

/* biome-ignore-end lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above. */

/** The lines of a table, or of a list, while they are fetched. */
export function TokenRowsSkeleton({ label }: { label: string }) {
  return (
    <div role="status">
      <span className="visually-hidden">{label}</span>
      {SKELETONS.map((row) => (
        <div key={row} className={classes.blank} aria-hidden="true">
          <Skeleton width={42} height={42} />
          <span className={classes.blankWords}>
            <Skeleton width="38%" height={17} />
            <Skeleton width="22%" height={13} />
          </span>
          <Skeleton width="20%" height={17} />
        </div>
      ))}
    </div>
  )
}
