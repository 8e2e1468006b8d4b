import { ActionButton } from '../../../components/form/action-button.tsx'
import { Row } from '../../../components/layout/managed-list.tsx'
import { cache, client, type Webhook } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
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

function WebhookActions({ webhook: { id, url, status }, onSecret, onTested }: WebhookRowProps) {
  const tell = async (title: string, message: string) => {
    showToast({ title, message })
    await cache.webhooks.list.invalidate()
  }
  return (
    <div className="acts">
      <ActionButton
        label={status === 'pending' ? 'Send challenge again' : 'Send test'}
        of={url}
        act={() => client.webhooks.test.mutate({ id })}
        failure="Could not send the test"
        onSuccess={() => {
          onTested()
          return tell('Test sent', 'The result appears here in a moment.')
        }}
      />
      <ActionButton
        label="Change secret"
        of={url}
        act={() => client.webhooks.rotate.mutate({ id })}
        failure="Could not change the secret"
        onSuccess={({ secret }) => onSecret({ host: new URL(url).host, secret })}
      />
      <ActionButton
        label="Remove"
        busy="Removing..."
        of={url}
        isFinal
        act={() => client.webhooks.remove.mutate({ id })}
        failure="Could not remove the webhook"
        onSuccess={() => tell('Webhook removed', 'We no longer send messages to this URL.')}
      />
    </div>
  )
}
