import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { isMissingCode } from '../../lib/api/missing-code.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { Button } from '../form/button.tsx'
import { AwayScreen } from './away-screen.tsx'
import { Notice } from './notice.tsx'

/** The router's error component for every route. */
export function ErrorScreen({ error }: ErrorComponentProps) {
  return isMissingCode(error) ? <AwayScreen /> : <BrokenScreen />
}

function BrokenScreen() {
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
