import { type FairEvent, fairEvent, type NamedEvent, namedEvents, ofFair } from '@papermoon/contract/market-events'
import { postEvent } from '@papermoon/contract/posts'
import { tokenNames } from '@papermoon/contract/shapes'
import { orderEvent } from '@papermoon/contract/waiting-orders'
import type { WebhookEventName } from '@papermoon/contract/webhooks'
import { trade } from '@papermoon/engine'
import type { z } from 'zod'
import type { Notice } from '../../read-notices.ts'

interface EventOf<Type extends WebhookEventName, Data> {
  /** Identifies the event. Events with equal ids are the same event. */
  readonly id: string
  readonly type: Type
  readonly timestamp: string
  readonly data: Data
}

const inTrade = trade.omit({ tokenId: true, seq: true }).meta({
  deprecated: true,
  description: 'Same as in `trade`; kept for older receivers.',
})

/**
 * Data of market events: the same as in the event stream, and for a trade its own properties again. Without `holding`,
 * because it may change between two attempts.
 */
export const webhookData = {
  trade: namedEvents.trade.omit({ holding: true }).extend({ ...inTrade.shape, ...ofFair }),
  launch: namedEvents.launch.extend(ofFair),
  rug: namedEvents.rug.extend(ofFair),
  fair: fairEvent,
  post: postEvent.extend({ ...tokenNames, ...ofFair }),
  order: orderEvent.extend({ ...tokenNames, ...ofFair }),
} as const
interface OfFair {
  /** Absent in the fairground. */
  readonly fairId?: number
}
export type TradeData = Omit<NamedEvent<'trade'>, 'holding'> & z.output<typeof inTrade> & OfFair

/** Properties that only notices of one later kind have. */
type LaterField = 'seal' | 'post' | 'moderation'
/** A notice with the text that players see. */
export type NoticeData = Omit<Notice, 'readAt' | LaterField> &
  Partial<Pick<Notice, LaterField>> & { readonly title: string; readonly body: string }

/** An event as webhooks receive it. */
export type WebhookEvent =
  | EventOf<'trade' | 'fill', TradeData>
  | EventOf<'launch', NamedEvent<'token_launched'> & OfFair>
  | EventOf<'rug', NamedEvent<'rug_pull'> & OfFair>
  | EventOf<'fair', FairEvent>
  | EventOf<'post', z.output<typeof webhookData.post>>
  | EventOf<'order', z.output<typeof webhookData.order>>
  | EventOf<`notice.${Notice['kind']}`, NoticeData>
