/** What a webhook can get: events of the market, one's own trades, and what one is told. */
export const WEBHOOK_EVENTS = [
  'trade',
  'launch',
  'rug',
  'fill',
  'notice.rug',
  'notice.whale',
  'notice.top3',
  'notice.alert',
] as const
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]
