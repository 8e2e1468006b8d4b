import type { ReactNode } from 'react'
import { FetchFailed } from './fetch-failed.tsx'

interface FetchedProps<Data> {
  readonly query: {
    readonly data?: Data | undefined
    readonly isError: boolean
    readonly error: unknown
    refetch(): unknown
  }
  /** Title above the retry button after a failure. */
  readonly failure: string
  readonly level?: 1 | 2 | 3 | 4
  readonly skeleton: ReactNode
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/**
 * Shows a query: a skeleton while its first response is pending, a retry button if that failed, and otherwise its data.
 * After a later failure, the data stays.
 */
export function Fetched<Data>({ query, failure, level = 3, skeleton, empty, children }: FetchedProps<Data>) {
  const { data } = query
  if (data !== undefined) {
    const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0
    return isEmpty ? empty : children(data)
  }
  return query.isError ? <FetchFailed level={level} title={failure} query={query} /> : skeleton
}
