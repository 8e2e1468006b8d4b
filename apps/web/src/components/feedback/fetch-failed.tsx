import { getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { Button } from '../form/button.tsx'
import { Notice } from './notice.tsx'

interface FetchFailedProps {
  readonly title: string
  readonly query: { readonly error: unknown; refetch(): unknown }
  readonly level?: 1 | 2 | 3 | 4
}

/** Shows the server's sentence and a retry button after a query failed. */
export function FetchFailed({ title, query, level = 2 }: FetchFailedProps) {
  return (
    <div role="alert">
      <Notice
        level={level}
        emoji="🌑"
        title={title}
        action={<Button onClick={() => void query.refetch()}>Try again</Button>}
      >
        {getSentence(query.error) ?? NO_RESPONSE}
      </Notice>
    </div>
  )
}
