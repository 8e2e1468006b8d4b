import type { Webhook } from '../../../lib/api/api.ts'

export type EventName = Webhook['events'][number]

interface EventChoice {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly events: readonly EventName[]
}

/** What a webhook can get, as players choose it. */
export const EVENT_CHOICES: readonly EventChoice[] = [
  { id: 'fills', title: 'Your trades', note: 'Each buy and sale of yours.', events: ['fill'] },
  {
    id: 'notices',
    title: 'Your bell',
    note: 'Rugged bags, whales, price alerts, the Top 3.',
    events: ['notice.rug', 'notice.whale', 'notice.top3', 'notice.alert'],
  },
  { id: 'launches', title: 'Launches', note: 'Every new token.', events: ['launch'] },
  { id: 'rugs', title: 'Rug pulls', note: 'Of every token, or those below.', events: ['rug'] },
  { id: 'trades', title: 'All trades', note: 'Of every token, or those below. Many.', events: ['trade'] },
]

/** The events of the chosen ids. */
export function toEvents(chosen: readonly string[]): EventName[] {
  return EVENT_CHOICES.filter(({ id }) => chosen.includes(id)).flatMap(({ events }) => events)
}

/** The titles of what a webhook gets. A choice counts if the webhook gets any of its events. */
export function formatEvents(events: readonly EventName[]): string {
  const chosen = EVENT_CHOICES.filter((choice) => choice.events.some((event) => events.includes(event)))
  return chosen.map(({ title }) => title).join(' + ')
}

/** Parses numbers of tokens with commas or spaces between them; null for none, 'wrong' for other text. */
export function parseTokenIds(text: string): number[] | null | 'wrong' {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  if (parts.length === 0) return null
  return parts.every((part) => /^[1-9]\d{0,8}$/.test(part)) ? parts.map(Number) : 'wrong'
}
