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
        sentence: last === null ? 'The challenge is on its way.' : `The challenge is not answered: ${last}.`,
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
