import { useEffect } from 'react'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { comeBack } from '../../lib/live/come-back.ts'
import { Button } from '../form/button.tsx'
import { Notice } from './notice.tsx'

/** Shown when a screen's code cannot be fetched; retries until the server is back. Same text as public/offline.html. */
export function AwayScreen() {
  useTitle('Offline')
  useEffect(comeBack, [])
  return (
    <Notice
      level={1}
      emoji="🌑"
      title={navigator.onLine ? 'Papermoon is away' : 'You are offline'}
      action={<Button onClick={() => location.reload()}>Try again</Button>}
    >
      This page was not loaded yet. It comes back by itself.
    </Notice>
  )
}
