import { DEFAULT_KINDS, EVENT_KINDS, type EventKind } from '@papermoon/contract/live'
import type { MarketEvent } from '@papermoon/engine'

const KINDS: Record<MarketEvent['type'], EventKind> = {
  token_launched: 'launch',
  trade: 'trade',
  rug_pull: 'rug',
  seal: 'seal',
}

/** Which events a listener wants. */
export interface EventFilter {
  /** Null: of all tokens. */
  readonly tokens: readonly number[] | null
  readonly kinds: ReadonlySet<EventKind>
}

/** For listeners who name nothing. */
export const DEFAULT_FILTER: EventFilter = { tokens: null, kinds: new Set(DEFAULT_KINDS) }

export function toEventKind({ type }: MarketEvent): EventKind {
  return KINDS[type]
}

export function isWanted(event: MarketEvent, { tokens, kinds }: EventFilter): boolean {
  return kinds.has(toEventKind(event)) && (tokens?.includes(event.tokenId) ?? true)
}

/** A text that is the same for filters that want the same events. */
export function toFilterKey({ tokens, kinds }: EventFilter): string {
  const ids = tokens === null ? '*' : [...tokens].sort((a, b) => a - b).join(',')
  return `${ids} ${EVENT_KINDS.filter((kind) => kinds.has(kind)).join(',')}`
}
