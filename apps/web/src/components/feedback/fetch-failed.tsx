import { sentenceOf } from '../../lib/api/failure.ts'
import { Button } from '../form/button.tsx'
import { Notice } from './notice.tsx'

interface FetchFailedProps {
  readonly title: string
  readonly error: unknown
  readonly onRetry: () => void
  readonly level?: 1 | 2 | 3 | 4
}

/** Stands where data could not be fetched, with the server's sentence and a way to try again. */
export function FetchFailed({ title, error, onRetry, level = 2 }: FetchFailedProps) {
  return (
    <div role="alert">
      <Notice level={level} emoji="🌑" title={title} action={<Button onClick={onRetry}>Try again</Button>}>
        {sentenceOf(error) ?? 'The server did not answer. Check your connection.'}
      </Notice>
    </div>
  )
}
