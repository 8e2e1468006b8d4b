import type { ReactNode } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import classes from './settings.module.css'

interface FetchedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly isError: boolean
    readonly error: unknown
    refetch(): unknown
  }
  /** Title of the error message after a failure. */
  readonly failure: string
  readonly skeleton: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Shows a server response, a skeleton until it arrives, and a retry button after a failure. */
export function Fetched<Data>({ query, failure, skeleton, children }: FetchedProps<Data>) {
  if (query.isError) {
    return <FetchFailed level={3} title={failure} query={query} />
  }
  return query.data === undefined ? skeleton : children(query.data)
}

interface ManagedListProps<Item> {
  /** The list's name, such as `Your keys`. */
  readonly label: string
  readonly query: FetchedProps<readonly Item[]>['query']
  /** The text in place of an empty list. */
  readonly none?: string
  readonly children: (item: Item) => ReactNode
}

/** A list of things that the player manages, each in a `Row`. */
export function ManagedList<Item>({ label, query, none, children }: ManagedListProps<Item>) {
  const what = label.toLowerCase()
  return (
    <Fetched
      query={query}
      failure={`Could not load ${what}`}
      skeleton={<Skeleton label={`Loading ${what}`} height={66} />}
    >
      {(list) =>
        list.length === 0 && none !== undefined ? (
          <p className="set-apart">{none}</p>
        ) : (
          <ul className="torn-top" aria-label={label}>
            {list.map(children)}
          </ul>
        )
      }
    </Fetched>
  )
}

interface RowProps {
  readonly title: ReactNode
  readonly notes: readonly ReactNode[]
  readonly children: ReactNode
}

/** A row of a list: a name, lines below it, and buttons. */
export function Row({ title, notes, children }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.about}>
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
