import type { Webhook } from '../../../lib/api/api.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'

/** A webhook's state, as a word for its badge and as a sentence. */
export interface WebhookStatus {
  readonly badge: string
  readonly isBad: boolean
  readonly sentence: string
}

type Facts = Pick<Webhook, 'status' | 'lastAt' | 'lastStatus' | 'lastError' | 'failingSince'>

export function describeStatus(webhook: Facts, nowMs: number): WebhookStatus {
  const { status, lastAt, failingSince } = webhook
  const last = lastAt === null ? null : describeLast(webhook, relativeTime(lastAt, nowMs))
  switch (status) {
    case 'pending':
      return {
        badge: 'Waiting',
        isBad: lastAt !== null,
        sentence:
          last === null
            ? 'We are sending the challenge to your URL.'
            : `Your URL has not confirmed the challenge yet. ${last}`,
      }
    case 'active':
      return {
        badge: 'Working',
        isBad: false,
        sentence: last ?? 'We have not sent anything yet.',
      }
    case 'failing': {
      const since = failingSince === null ? '' : ` The webhook began to fail ${relativeTime(failingSince, nowMs)}.`
      return { badge: 'Failing', isBad: true, sentence: `${last ?? ''} We will try again.${since}` }
    }
    case 'stopped':
      return {
        badge: 'Stopped',
        isBad: true,
        sentence: `${last ?? ''} We will send nothing more until a test succeeds.`,
      }
  }
}

/** Describes the result of the last call to a webhook. `when` is a text such as `5 minutes ago`. */
function describeLast({ lastStatus, lastError }: Facts, when: string): string {
  switch (lastError) {
    case 'timeout':
      return `Last attempt ${when}: no response within ten seconds.`
    case 'unreachable':
      return `Last attempt ${when}: could not connect.`
    case 'forbidden':
      return `Last attempt ${when}: we do not send messages to this address.`
    case 'challenge':
      return `Last attempt ${when}: the response did not repeat the challenge.`
    case 'taken':
      return `Last attempt ${when}: another player already uses this URL.`
    default:
      return `Last attempt ${when}: the response had status ${lastStatus}.`
  }
}

type EventName = Webhook['events'][number]

interface EventChoice {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly events: readonly EventName[]
}

/** The events that a webhook can receive, in the groups from which players choose. */
export const EVENT_CHOICES: readonly EventChoice[] = [
  { id: 'fills', title: 'Your trades', note: 'Sent each time you buy or sell.', events: ['fill'] },
  {
    id: 'orders',
    title: 'Your orders',
    note: 'Sent when your orders are placed, filled or cancelled, or expire.',
    events: ['order'],
  },
  {
    id: 'notices',
    title: 'Your notifications',
    note: 'Sent for rug pulls, large sales, price alerts, the Top 3, stickers, your tokens’ buyers, seals and filled orders.',
    events: [
      ...(['notice.rug', 'notice.whale', 'notice.top3', 'notice.alert', 'notice.sticker', 'notice.buyer'] as const),
      ...(['notice.holder', 'notice.milestone', 'notice.seal', 'notice.order'] as const),
    ],
  },
  { id: 'launches', title: 'Launches', note: 'Sent for every new token.', events: ['launch'] },
  {
    id: 'rugs',
    title: 'Rug pulls',
    note: 'Sent when any token is rugged, or only for the tokens below.',
    events: ['rug'],
  },
  {
    id: 'posts',
    title: 'Talk',
    note: 'Sent for posts about any token, or only for the tokens below.',
    events: ['post'],
  },
  {
    id: 'trades',
    title: 'All trades',
    note: 'Sent for trades of any token, or only of the tokens below. These can be many events.',
    events: ['trade'],
  },
]

/** The start and end of the fairs that the player chooses. */
export const FAIR_CHOICE: EventChoice = {
  id: 'moments',
  title: 'Fair starts and ends',
  note: 'Sent when the fairs below start and end, with the results.',
  events: ['fair'],
}

const ALL_CHOICES = [...EVENT_CHOICES, FAIR_CHOICE]

export function toEvents(chosen: readonly string[]): EventName[] {
  return ALL_CHOICES.filter(({ id }) => chosen.includes(id)).flatMap(({ events }) => events)
}

/**
 * Returns the button's text, which says what the player must still choose. Returns null if nothing is missing. (A
 * webhook for notifications needs no fair.)
 */
export function describeLack(chosen: readonly string[], isOfFairs: boolean): string | null {
  if (!isOfFairs && chosen.includes(FAIR_CHOICE.id)) return 'Choose fairs'
  const isNothing = chosen.every((id) => isOfFairs && id === 'notices')
  return isNothing ? 'Choose events' : null
}

/** Returns the titles of a webhook's groups of events. Includes a group if the webhook receives any of its events. */
export function formatEvents(events: readonly EventName[]): string {
  const chosen = ALL_CHOICES.filter((choice) => choice.events.some((event) => events.includes(event)))
  return chosen.map(({ title }) => title).join(' + ')
}

/**
 * Parses token ids that are separated by commas or spaces. Returns null for an empty text, and 'wrong' if the text is
 * not a list of ids.
 */
export function parseTokenIds(text: string): number[] | null | 'wrong' {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  if (parts.length === 0) return null
  return parts.every((part) => /^[1-9]\d{0,8}$/.test(part)) ? parts.map(Number) : 'wrong'
}
