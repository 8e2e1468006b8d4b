import { formatSol } from '@papermoon/format'
import type { MarketEvent } from '../../../lib/api/api.ts'

/** Max number of events that the console shows. */
export const EVENTS_MAX = 100

export const EVENT_TYPES = [
  { type: 'trade', label: 'Trades' },
  { type: 'launch', label: 'Launches' },
  { type: 'rug', label: 'Rug pulls' },
] as const
export type EventType = (typeof EVENT_TYPES)[number]['type']

export interface EventFilter {
  readonly types: readonly EventType[]
  /**
   * Token ids as the visitor typed them, separated by commas or spaces. If the text is empty, the filter matches all
   * tokens.
   */
  readonly tokens: string
}

export const EVERYTHING: EventFilter = { types: EVENT_TYPES.map(({ type }) => type), tokens: '' }

/**
 * Returns the URL of the events that match the filter. Returns null if no event type is selected, or the text contains
 * no valid ids.
 */
export function toAddress({ types, tokens }: EventFilter): string | null {
  const ids = tokens.split(/[\s,]+/).filter((id) => id !== '')
  if (types.length === 0 || ids.some((id) => !/^[1-9]\d{0,9}$/.test(id))) return null
  const query = [
    types.length < EVENT_TYPES.length && `types=${types.join(',')}`,
    ids.length > 0 && `tokens=${ids.join(',')}`,
  ].filter((part) => part !== false)
  return query.length === 0 ? '/api/events' : `/api/events?${query.join('&')}`
}

export interface Entry {
  readonly id: number
  readonly atMs: number
  readonly event: MarketEvent
}

/** Returns at most `EVENTS_MAX` entries, newest first. `fresh` is sorted oldest first. */
export function addEntries(entries: readonly Entry[], fresh: readonly Entry[]): readonly Entry[] {
  return [...fresh.toReversed(), ...entries].slice(0, EVENTS_MAX)
}

/** Describes an event in one line: `Luna bought for 0.5 SOL`. */
export function describeEvent(event: MarketEvent): string {
  switch (event.type) {
    case 'trade': {
      const { side, solAmount, username } = event.trade
      return `${username} ${side === 'buy' ? 'bought' : 'sold'} for ${formatSol(solAmount, 4)} SOL`
    }
    case 'token_launched':
      return `${event.creator.username} launched ${event.name} (${event.symbol})`
    case 'rug_pull':
      return `${event.username} pulled the rug and took ${formatSol(event.amount, 4)} SOL`
    case 'seal':
      return event.kind === 'expired' ? 'The seal ended' : `${event.kind} by ${event.username}`
  }
}
