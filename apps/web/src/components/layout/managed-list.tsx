import type { ReactNode } from 'react'
import { Fetched, type Query } from '../feedback/fetched.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'

interface ManagedListProps<Item> {
  /** Name of the list, such as `Your keys`. */
  readonly label: string
  readonly query: Query<readonly Item[]>
  /** Text to show instead of an empty list. */
  readonly none?: string
  readonly children: (item: Item) => ReactNode
}

export function ManagedList<Item>({ label, query, none, children }: ManagedListProps<Item>) {
  const what = label.toLowerCase()
  return (
    <Fetched
      query={query}
      failure={`Could not load ${what}`}
      skeleton={<Skeleton label={`Loading ${what}`} height={66} />}
      empty={none && <p className="set-apart">{none}</p>}
    >
      {(list) => (
        <ul className="torn-top ruled" aria-label={label}>
          {list.map(children)}
        </ul>
      )}
    </Fetched>
  )
}

interface RowProps {
  readonly title: ReactNode
  readonly notes?: readonly ReactNode[]
  readonly children?: ReactNode
}

export function Row({ title, notes = [], children }: RowProps) {
  return (
    <li className="row wrap py-s gap-wide row-high">
      <div className="grow-wrap grid gap-xs">
        <span className="strong">{title}</span>
        {notes.map((note, index) => (
          <span key={index} className="small block breaks regular">
            {note}
          </span>
        ))}
      </div>
      {children}
    </li>
  )
}
