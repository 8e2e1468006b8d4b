import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isMissingCode } from '../../lib/api/missing-code.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { reloadWhenServerReturns } from '../../lib/live/reload-when-server-returns.ts'
import { Button, ButtonLink } from '../form/button.tsx'
import { Notice } from './notice.tsx'

/** The screen that the router shows after an error in any route. */
export function ErrorScreen({ error }: ErrorComponentProps) {
  return isMissingCode(error) ? <AwayScreen /> : <BrokenScreen />
}

function BrokenScreen() {
  const router = useRouter()
  useTitle('Something went wrong')
  return (
    <Notice
      level={1}
      emoji="🎪"
      title="Something went wrong"
      action={<Button onClick={() => void router.invalidate()}>Try again</Button>}
    >
      This page has stopped working. Your balance is stored on the server, so it is safe.
    </Notice>
  )
}

/**
 * The router shows this screen if it cannot fetch a screen's code. The screen retries until the server responds. The
 * screen has the same text as public/offline.html.
 */
function AwayScreen() {
  useTitle('Offline')
  useEffect(reloadWhenServerReturns, [])
  return (
    <Notice
      level={1}
      emoji="🌑"
      title={navigator.onLine ? 'Papermoon cannot be reached' : 'You are offline'}
      action={<Button onClick={() => location.reload()}>Try again</Button>}
    >
      This page hasn’t loaded. It will load by itself once the connection is back.
    </Notice>
  )
}

/** The router shows this screen for a URL that no route matches. */
export function NotFoundScreen() {
  useTitle('404')
  return (
    <Notice
      level={1}
      emoji="🌒"
      title="404 Page Not Found"
      action={<ButtonLink to="/">Back to the fairground</ButtonLink>}
    >
      There is no page at this address. Someone took down the tent, or it was only paper.
    </Notice>
  )
}
