import { Button } from '../../../components/form/button.tsx'
import type { RugStory, Token } from '../../../lib/api/api.ts'
import { formatCount, formatSol } from '../../../lib/format/format.ts'
import { copyText } from '../../../lib/ui/copy-text.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'

const SOL_SHOWN = 2

/** Shares the token's page by the device's own sheet, or else copies its address. */
export function ShareStory({ token, story }: { token: Token; story: RugStory }) {
  return (
    <Button look="quiet" onClick={() => void share(token, story)}>
      Share the story
    </Button>
  )
}

async function share({ id, name, symbol }: Token, { ruggedAmount, holders }: RugStory): Promise<void> {
  const left = holders === 0 ? '' : `, ${formatCount(holders)} left holding the bag`
  const told = {
    title: `${name} (${symbol}) was rugged`,
    text: `${name} (${symbol}) was rugged: ${formatSol(ruggedAmount, SOL_SHOWN)} SOL drained${left}.`,
    url: new URL(`/token/${id}`, location.origin).href,
  }
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(told)
      return
    } catch (error) {
      // The player closed the sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  if (await copyText(told.url)) showToast({ title: 'Copied!', message: 'Link to the story copied to clipboard' })
  else showFailure('Copy failed', null, told.url)
}
