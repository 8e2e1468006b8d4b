import type { Webhook } from '../../../lib/api/api.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'

/** How a webhook is doing, in a word for its badge and in a sentence. */
export interface WebhookStatus {
  readonly badge: string
  readonly isBad: boolean
  readonly sentence: string
}

type Facts = Pick<Webhook, 'status' | 'lastAt' | 'lastStatus' | 'lastError' | 'failingSince'>

export function describeStatus(webhook: Facts, nowMs: number): WebhookStatus {
  const { status, lastAt, failingSince } = webhook
  const last = lastAt === null ? null : `${describeAnswer(webhook)} ${relativeTime(lastAt, nowMs)}`
  switch (status) {
    case 'pending':
      return {
        badge: 'Waits',
        isBad: lastAt !== null,
        sentence: last === null ? 'The challenge is on its way.' : `Your address has not confirmed yet: ${last}.`,
      }
    case 'active':
      return {
        badge: 'Works',
        isBad: false,
        sentence: last === null ? 'Nothing was sent yet.' : capitalize(`${last}.`),
      }
    case 'failing': {
      const since = failingSince === null ? '' : ` Failing since ${relativeTime(failingSince, nowMs)}.`
      return { badge: 'Fails', isBad: true, sentence: `${capitalize(last ?? '')}. It is tried again.${since}` }
    }
    case 'stopped':
      return {
        badge: 'Given up',
        isBad: true,
        sentence: `${capitalize(last ?? '')}. It gets no more until a test works.`,
      }
  }
}

function describeAnswer({ lastStatus, lastError }: Facts): string {
  switch (lastError) {
    case 'timeout':
      return 'no answer within ten seconds,'
    case 'unreachable':
      return 'not reached'
    case 'forbidden':
      return 'it leads to an address that is never called,'
    case 'challenge':
      return 'the answer did not repeat it,'
    case 'taken':
      return 'somebody else has this address,'
    default:
      return `answered ${lastStatus}`
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type EventName = Webhook['events'][number]

interface EventChoice {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly events: readonly EventName[]
}

/** What a webhook can get, as players choose it. */
export const EVENT_CHOICES: readonly EventChoice[] = [
  { id: 'fills', title: 'Your trades', note: 'Each buy and sale of yours.', events: ['fill'] },
  { id: 'orders', title: 'Your orders', note: 'Placed, filled, cancelled or expired.', events: ['order'] },
  {
    id: 'notices',
    title: 'Your bell',
    note: 'Rugged bags, whales, price alerts, the Top 3, stickers, buyers of your tokens, seals, filled orders.',
    events: [
      ...(['notice.rug', 'notice.whale', 'notice.top3', 'notice.alert', 'notice.sticker', 'notice.buyer'] as const),
      ...(['notice.holder', 'notice.milestone', 'notice.seal', 'notice.order'] as const),
    ],
  },
  { id: 'launches', title: 'Launches', note: 'Every new token.', events: ['launch'] },
  { id: 'rugs', title: 'Rug pulls', note: 'Every token, or only those below.', events: ['rug'] },
  { id: 'posts', title: 'Talk', note: 'What players say of every token, or only of those below.', events: ['post'] },
  { id: 'trades', title: 'All trades', note: 'Every token, or only those below. Can be a lot.', events: ['trade'] },
]

/** What else comes of fairs. */
export const FAIR_CHOICE: EventChoice = {
  id: 'moments',
  title: 'Starts and ends',
  note: 'Of the fairs below, with the results.',
  events: ['fair'],
}

const ALL_CHOICES = [...EVENT_CHOICES, FAIR_CHOICE]

/** The events of the chosen ids. */
export function toEvents(chosen: readonly string[]): EventName[] {
  return ALL_CHOICES.filter(({ id }) => chosen.includes(id)).flatMap(({ events }) => events)
}

/** What is still to be chosen, for the button; null: nothing. Notices need no fair. */
export function describeLack(chosen: readonly string[], isOfFairs: boolean): string | null {
  if (!isOfFairs && chosen.includes(FAIR_CHOICE.id)) return 'Choose its fairs'
  const isNothing = chosen.every((id) => isOfFairs && id === 'notices')
  return isNothing ? 'Choose its events' : null
}

/** The titles of what a webhook gets. A choice counts if the webhook gets any of its events. */
export function formatEvents(events: readonly EventName[]): string {
  const chosen = ALL_CHOICES.filter((choice) => choice.events.some((event) => events.includes(event)))
  return chosen.map(({ title }) => title).join(' + ')
}

/** Parses numbers of tokens with commas or spaces between them; null for none, 'wrong' for other text. */
export function parseTokenIds(text: string): number[] | null | 'wrong' {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  if (parts.length === 0) return null
  return parts.every((part) => /^[1-9]\d{0,8}$/.test(part)) ? parts.map(Number) : 'wrong'
}
