import { useRouter } from '@tanstack/react-router'
import { useTitle } from '../lib/use-title.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** What a route shows when it breaks. */
export function ErrorScreen() {
  const router = useRouter()
  useTitle('Something broke')
  return (
    <Notice
      level={1}
      emoji="🎪"
      title="The tent came down"
      action={<Button onClick={() => void router.invalidate()}>Try again</Button>}
    >
      Something broke on this page. Your balance is safe: nothing on it is kept here.
    </Notice>
  )
}
