import { Button } from '../../../components/form/button.tsx'
import { ConfirmButton } from '../../../components/form/confirm-button.tsx'
import { useConfirmedMutation } from '../../../components/form/confirmation.tsx'
import { cache, client, trpc, type Webhook } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { Row } from '../settings-parts.tsx'
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

/** Shows a webhook with its events, the result of the last message, and its buttons. */
export function WebhookRow({ webhook, onSecret, onTested }: WebhookRowProps) {
  const { url, format, events, tokenIds, fairs, missed } = webhook
  const { badge, isBad, sentence } = describeStatus(webhook, useNow())
  const title = (
    <>
      {url}
      <span className={`chip ${isBad ? 'on-alarm' : 'on-moon'}`}>{badge}</span>
    </>
  )
  const named = tokenIds ?? fairs
  const ids = named?.map((id) => `#${id}`).join(', ')
  const only = named === null ? '' : fairs === null ? ` · tokens ${ids}` : ` · fairs ${ids}`
  const notes = [
    `${formatEvents(events)}${only}${format === 'discord' ? ' · Discord format' : ''}`,
    missed === 0
      ? sentence
      : `${sentence} We dropped ${counted(missed, 'event')}, because they became too old to send.`,
  ]
  return (
    <Row title={title} notes={notes}>
      <WebhookActions webhook={webhook} onSecret={onSecret} onTested={onTested} />
    </Row>
  )
}

/** Buttons that test a webhook, change its secret or remove it. */
function WebhookActions({ webhook: { id, url, status }, onSecret, onTested }: WebhookRowProps) {
  const test = trpc.webhooks.test.useMutation({
    onSuccess: async () => {
      onTested()
      showToast({ title: 'Test sent', message: 'The result appears here in a moment.' })
      await cache.webhooks.list.invalidate()
    },
    meta: { failure: 'Could not send the test' },
  })
  const rotate = useConfirmedMutation(() => client.webhooks.rotate.mutate({ id }), {
    failure: 'Could not change the secret',
    onSuccess: ({ secret }) => onSecret({ host: new URL(url).host, secret }),
  })
  const remove = trpc.webhooks.remove.useMutation({
    onSuccess: async () => {
      showToast({ title: 'Webhook removed', message: 'We no longer send messages to this URL.' })
      await cache.webhooks.list.invalidate()
    },
    meta: { failure: 'Could not remove the webhook' },
  })
  return (
    <div className="acts">
      <Button
        look="quiet"
        disabled={test.isPending}
        aria-label={`${status === 'pending' ? 'Send challenge again' : 'Send test'}: ${url}`}
        onClick={() => test.mutate({ id })}
      >
        {status === 'pending' ? 'Send challenge again' : 'Send test'}
      </Button>
      <Button
        look="quiet"
        disabled={rotate.isPending}
        aria-label={`Change secret: ${url}`}
        onClick={() => rotate.mutate()}
      >
        Change secret
      </Button>
      <ConfirmButton
        action="Remove"
        busy="Removing..."
        of={url}
        isBusy={remove.isPending}
        onSure={() => remove.mutate({ id })}
      />
    </div>
  )
}
