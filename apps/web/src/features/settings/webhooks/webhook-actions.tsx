import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { cache, client, trpc, type Webhook } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import keys from '../api-keys/api-keys.module.css'
import { useConfirmed } from '../security/confirm/use-confirmed.tsx'
import classes from './webhook-row.module.css'

interface WebhookActionsProps {
  readonly webhook: Webhook
  readonly onSecret: (made: { host: string; secret: string }) => void
  readonly onTested: () => void
}

/** Test, another secret, remove. */
export function WebhookActions({ webhook, onSecret, onTested }: WebhookActionsProps) {
  const { id, url, status } = webhook
  const [isAsking, setAsking] = useState(false)
  const test = trpc.webhooks.test.useMutation({
    onSuccess: async () => {
      onTested()
      showToast({ title: 'Sent', message: 'Its answer shows here in a moment.' })
      await cache.webhooks.list.invalidate()
    },
    onError: (error) => showFailure('Not Sent', getSentence(error), 'Failed to send the test'),
  })
  const confirmed = useConfirmed(client.webhooks.rotate.mutate)
  const rotate = useMutation({
    mutationFn: (webhookId: number) => confirmed.run({ id: webhookId }),
    onSuccess: ({ secret }) => onSecret({ host: new URL(url).host, secret }),
    onError: (error) => showFailure('Secret Kept', getSentence(error), 'Failed to change the secret'),
  })
  if (isAsking) return <Removal webhook={webhook} onKeep={() => setAsking(false)} />
  return (
    <div className={classes.actions}>
      <Button look="quiet" disabled={test.isPending} aria-label={`Test ${url}`} onClick={() => test.mutate({ id })}>
        {status === 'pending' ? 'Retry' : 'Test'}
      </Button>
      <Button
        look="quiet"
        disabled={rotate.isPending}
        aria-label={`New secret for ${url}`}
        onClick={() => rotate.mutate(id)}
      >
        New secret
      </Button>
      <Button look="quiet" aria-label={`Remove ${url}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {confirmed.dialog}
    </div>
  )
}

/** Confirms once: what waits for the address is lost. */
function Removal({ webhook: { id, url }, onKeep }: { webhook: Webhook; onKeep: () => void }) {
  const remove = trpc.webhooks.remove.useMutation({
    onSuccess: async () => {
      showToast({ title: 'Webhook Removed', message: 'Its address gets nothing any more.' })
      await cache.webhooks.list.invalidate()
    },
    onError: (error) => {
      showFailure('Remove Failed', getSentence(error), 'Failed to remove the webhook')
      onKeep()
    },
  })
  return (
    <div className={classes.actions}>
      <Button
        autoFocus
        className={keys.danger}
        disabled={remove.isPending}
        aria-label={`Remove ${url} for good`}
        onClick={() => remove.mutate({ id })}
      >
        {remove.isPending ? 'Removing...' : 'Remove for good'}
      </Button>
      <Button look="quiet" disabled={remove.isPending} onClick={onKeep}>
        Keep
      </Button>
    </div>
  )
}
