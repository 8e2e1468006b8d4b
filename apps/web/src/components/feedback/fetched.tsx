import type { ReactNode } from 'react'
import { FetchFailed } from './fetch-failed.tsx'

interface QueryProps<Data> {
  readonly query: {
    readonly data?: Data | undefined
    readonly isError: boolean
    readonly error: unknown
    refetch(): unknown
  }
  /** Title of the error message after a failure. */
  readonly failure: string
  readonly level?: 1 | 2 | 3 | 4
}

interface FetchedProps<Data> extends QueryProps<Data> {
  readonly skeleton: ReactNode
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/**
 * Shows a query: a skeleton while its first response is pending, a retry button if that failed, and otherwise its data.
 * The data stays on the screen after a later failure.
 */
export function Fetched<Data>({ skeleton, empty, children, ...props }: FetchedProps<Data>) {
  const { data } = props.query
  if (data === undefined) return <UnlessFailed {...props}>{skeleton}</UnlessFailed>
  const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0
  return isEmpty ? empty : children(data)
}

/** Shows a part that draws its own placeholders, or a retry button if the first response failed. */
export function UnlessFailed({ query, failure, level = 3, children }: QueryProps<unknown> & { children: ReactNode }) {
  const hasFailed = query.data === undefined && query.isError
  return hasFailed ? <FetchFailed level={level} title={failure} query={query} /> : children
}
