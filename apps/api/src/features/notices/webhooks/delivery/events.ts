import type { Trade } from '@papermoon/engine'
import type { Notice } from '../../../../notices/notice.ts'
import type { WebhookEventName } from '../event-names.ts'

interface TokenNames {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

interface EventOf<Type extends WebhookEventName, Data> {
  /** Equal ids are the same event. */
  readonly id: string
  readonly type: Type
  readonly timestamp: string
  readonly data: Data
}

export type TradeData = Trade & TokenNames

export interface LaunchData extends TokenNames {
  readonly tokenId: number
  readonly seq: 0
  readonly creator: { readonly id: number; readonly username: string; readonly isBot: boolean }
}

export interface RugData extends TokenNames {
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  readonly username: string
  readonly isBot: boolean
  /** SOL drained. */
  readonly amount: string
}

/** A notice, and what the bell says of it. */
export type NoticeData = Omit<Notice, 'readAt'> & { readonly title: string; readonly body: string }

/** One event as webhooks get it. */
export type WebhookEvent =
  | EventOf<'trade' | 'fill', TradeData>
  | EventOf<'launch', LaunchData>
  | EventOf<'rug', RugData>
  | EventOf<`notice.${Notice['kind']}`, NoticeData>
