/** Events of a webhook: the market's, the player's own trades, and notices. */
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
