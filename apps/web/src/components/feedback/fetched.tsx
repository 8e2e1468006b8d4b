import type { ReactNode } from 'react'
import { getReason, getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { Button } from '../form/button.tsx'
import { Notice } from './notice.tsx'

/** The part of a query's result that decides what to show. */
export interface Query<Data> {
  readonly data?: Data | undefined
  readonly isError: boolean
  readonly error: unknown
  refetch(): unknown
}

interface QueryProps<Data> {
  readonly query: Query<Data>
  /** Title of the error message if the query fails. */
  readonly failure: string
  readonly level?: 1 | 2 | 3
  /** Whether to show an error in one line, because there is little space. */
  readonly isSmall?: boolean
  /** What to show instead of an expected error or of older data, by the error's code. */
  readonly instead?: Readonly<Record<string, ReactNode>>
}

interface FetchedProps<Data> extends QueryProps<Data> {
  readonly skeleton: ReactNode
  /** Content to show instead of an empty list. */
  readonly empty?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/**
 * Shows a query: a skeleton while its first request is pending, a retry button if that request failed, and otherwise
 * the data. If a later request fails, the data stays on the screen.
 */
export function Fetched<Data>({ skeleton, empty, children, ...props }: FetchedProps<Data>) {
  const { data } = props.query
  const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0
  return <UnlessFailed {...props}>{data === undefined ? skeleton : isEmpty ? empty : children(data)}</UnlessFailed>
}

/** Shows a part that draws its own placeholders. If the first request failed, shows a retry button instead. */
export function UnlessFailed({
  query,
  failure,
  level = 3,
  isSmall = false,
  instead = {},
  children,
}: QueryProps<unknown> & { children?: ReactNode }) {
  const reason = getReason(query.error)
  if (reason !== null && reason in instead) return instead[reason]
  if (!query.isError || query.data !== undefined) return children
  const retry = () => void query.refetch()
  if (isSmall) {
    return (
      <p className="dim text-m" role="alert">
        {failure}.{' '}
        <button type="button" className="link" onClick={retry}>
          Try again
        </button>
      </p>
    )
  }
  return (
    <div role="alert">
      <Notice level={level} emoji="🌑" title={failure} action={<Button onClick={retry}>Try again</Button>}>
        {getSentence(query.error) ?? NO_RESPONSE}
      </Notice>
    </div>
  )
}
