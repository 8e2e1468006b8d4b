import { formatSol } from '@papermoon/format'
import type { MarketEvent } from '../../../lib/live/live-events.ts'

/** Max events shown in the console. */
export const EVENTS_MAX = 100

export const EVENT_TYPES = [
  { type: 'trade', label: 'Trades' },
  { type: 'launch', label: 'Launches' },
  { type: 'rug', label: 'Rug pulls' },
] as const
export type EventType = (typeof EVENT_TYPES)[number]['type']

export interface EventFilter {
  readonly types: readonly EventType[]
  /** Typed by the user: ids between commas or spaces; empty for all tokens. */
  readonly tokens: string
}

export const EVERYTHING: EventFilter = { types: EVENT_TYPES.map(({ type }) => type), tokens: '' }

/** The address of the events that pass the filter; null where none can: no type, or no ids in what was typed. */
export function toAddress({ types, tokens }: EventFilter): string | null {
  const ids = tokens.split(/[\s,]+/).filter((id) => id !== '')
  if (types.length === 0 || ids.some((id) => !/^[1-9]\d{0,9}$/.test(id))) return null
  const query = [
    types.length < EVENT_TYPES.length && `types=${types.join(',')}`,
    ids.length > 0 && `tokens=${ids.join(',')}`,
  ].filter((part) => part !== false)
  return query.length === 0 ? '/api/events' : `/api/events?${query.join('&')}`
}

/** An event with the moment it came, for the list. */
export interface Entry {
  readonly id: number
  readonly atMs: number
  readonly event: MarketEvent
}

/** The newest first, at most `EVENTS_MAX`. `fresh` is oldest first. */
export function addEntries(entries: readonly Entry[], fresh: readonly Entry[]): readonly Entry[] {
  return [...fresh.toReversed(), ...entries].slice(0, EVENTS_MAX)
}

/** One line about an event: `buy of 0.5 SOL by Luna`. */
export function describeEvent(event: MarketEvent): string {
  switch (event.type) {
    case 'trade': {
      const { side, solAmount, username } = event.trade
      return `${side === 'buy' ? 'buy' : 'sale'} for ${formatSol(solAmount, 4)} SOL by ${username}`
    }
    case 'token_launched':
      return `${event.name} (${event.symbol}) launched by ${event.creator.username}`
    case 'rug_pull':
      return `rug pulled by ${event.username}, who took ${formatSol(event.amount, 4)} SOL`
    case 'seal':
      return event.kind === 'expired' ? 'the seal has ended' : `${event.kind} by ${event.username}`
  }
}
