import type { Webhook } from '../../../lib/api/api.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import keys from '../api-keys/api-keys.module.css'
import rows from '../settings-list.module.css'
import { formatEvents } from './event-choices.ts'
import { WebhookActions } from './webhook-actions.tsx'
import classes from './webhook-row.module.css'
import { describeStatus } from './webhook-status.ts'

interface WebhookRowProps {
  readonly webhook: Webhook
  readonly onSecret: (made: { host: string; secret: string }) => void
  readonly onTested: () => void
}

/** A webhook with what it gets, how the last message went, and what can be done with it. */
export function WebhookRow({ webhook, onSecret, onTested }: WebhookRowProps) {
  const { url, format, events, tokenIds, missed } = webhook
  const { badge, isBad, sentence } = describeStatus(webhook, useNow())
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={rows.about}>
        <span className={rows.name}>
          {url}
          <span className={isBad ? classes.bad : classes.good}>{badge}</span>
        </span>
        <span className={keys.note}>
          {formatEvents(events)}
          {tokenIds !== null && ` of ${tokenIds.map((id) => `#${id}`).join(', ')}`}
          {format === 'discord' && ' · for Discord'}
        </span>
        <span className={keys.note}>
          {sentence}
          {missed > 0 && ` ${missed} events were too old to be sent.`}
        </span>
      </div>
      <WebhookActions webhook={webhook} onSecret={onSecret} onTested={onTested} />
    </li>
  )
}
