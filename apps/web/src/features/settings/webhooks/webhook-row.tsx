import { Button } from '../../../components/form/button.tsx'
import { cache, client, trpc, type Webhook } from '../../../lib/api/api.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import { useConfirmedMutation } from '../security/confirm/use-confirmed.tsx'
import classes from '../settings.module.css'
import { AskOnce, Row } from '../settings-parts.tsx'
import { describeStatus, formatEvents } from './webhook-status.ts'

export interface MadeSecret {
  readonly host: string
  readonly secret: string
}

interface WebhookRowProps {
  readonly webhook: Webhook
  readonly onSecret: (made: MadeSecret) => void
  readonly onTested: () => void
}

/** A webhook with what it gets, how the last message went, and what can be done with it. */
export function WebhookRow({ webhook, onSecret, onTested }: WebhookRowProps) {
  const { url, format, events, tokenIds, fairs, missed } = webhook
  const { badge, isBad, sentence } = describeStatus(webhook, useNow())
  const title = (
    <>
      {url}
      <span className={isBad ? classes.bad : classes.good}>{badge}</span>
    </>
  )
  const named = tokenIds ?? fairs
  const tokens =
    named === null ? '' : ` of ${fairs === null ? '' : 'the fairs '}${named.map((id) => `#${id}`).join(', ')}`
  const notes = [
    `${formatEvents(events)}${tokens}${format === 'discord' ? ' · for Discord' : ''}`,
    missed === 0 ? sentence : `${sentence} ${missed} events were too old to be sent.`,
  ]
  return (
    <Row title={title} notes={notes}>
      <WebhookActions webhook={webhook} onSecret={onSecret} onTested={onTested} />
    </Row>
  )
}

/** Test, another secret, remove. */
function WebhookActions({ webhook: { id, url, status }, onSecret, onTested }: WebhookRowProps) {
  const test = trpc.webhooks.test.useMutation({
    onSuccess: async () => {
      onTested()
      showToast({ title: 'Sent', message: 'Its answer shows here in a moment.' })
      await cache.webhooks.list.invalidate()
    },
    onError: (error) => showFailure('Not Sent', error, 'Failed to send the test'),
  })
  const rotate = useConfirmedMutation(() => client.webhooks.rotate.mutate({ id }), {
    failure: ['Secret Kept', 'Failed to change the secret'],
    onSuccess: ({ secret }) => onSecret({ host: new URL(url).host, secret }),
  })
  const remove = trpc.webhooks.remove.useMutation({
    onSuccess: async () => {
      showToast({ title: 'Webhook Removed', message: 'Its address gets nothing any more.' })
      await cache.webhooks.list.invalidate()
    },
    onError: (error) => showFailure('Remove Failed', error, 'Failed to remove the webhook'),
  })
  return (
    <div className="acts">
      <Button look="quiet" disabled={test.isPending} aria-label={`Test ${url}`} onClick={() => test.mutate({ id })}>
        {status === 'pending' ? 'Retry' : 'Test'}
      </Button>
      <Button
        look="quiet"
        disabled={rotate.isPending}
        aria-label={`New secret for ${url}`}
        onClick={() => rotate.mutate()}
      >
        New secret
      </Button>
      <AskOnce
        action="Remove"
        busy="Removing..."
        of={url}
        isBusy={remove.isPending}
        onSure={() => remove.mutate({ id })}
      />
      {rotate.dialog}
    </div>
  )
}
