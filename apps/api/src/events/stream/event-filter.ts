import { DEFAULT_KINDS, EVENT_KINDS, type EventKind } from '@papermoon/contract/live'
import type { StreamEvent } from '../journal.ts'

const KINDS: Record<StreamEvent['type'], EventKind> = {
  token_launched: 'launch',
  trade: 'trade',
  rug_pull: 'rug',
  seal: 'seal',
  fair: 'fair',
  post: 'post',
  order: 'order',
}

/** Which events a listener wants. */
export interface EventFilter {
  /** Null: of all tokens, without lobbies, which are minus their fairs. */
  readonly tokens: readonly number[] | null
  /** Null: of all fairs of the stream. */
  readonly fairs: readonly number[] | null
  readonly kinds: ReadonlySet<EventKind>
  /** Whose orders; left out: nobody's. */
  readonly player?: number | undefined
  /** Who does not see posts of some players; the set may change while they listen. */
  readonly viewer?: { readonly userId: number; readonly blocked: ReadonlySet<number> } | null
}

/** For listeners who name nothing. */
export const DEFAULT_FILTER: EventFilter = { tokens: null, fairs: null, kinds: new Set(DEFAULT_KINDS) }

export function toEventKind({ type }: StreamEvent): EventKind {
  return KINDS[type]
}

/** The token of an event; 0 for one of a whole fair, minus the fair for a post in its lobby. */
export function tokenOf(event: StreamEvent): number {
  return event.type === 'fair' ? 0 : event.tokenId
}

/** Knows the fair of a token; undefined until it has been read. */
interface FairReader {
  getFair(tokenId: number): number | undefined
}

export function isWanted(event: StreamEvent, filter: EventFilter, known: FairReader): boolean {
  if (isOfOthers(event, filter)) return false
  const isNamed = filter.tokens?.includes(tokenOf(event)) ?? tokenOf(event) >= 0
  return isNamed && filter.kinds.has(toEventKind(event)) && isOfFairs(event, filter, known)
}

/** Another player's order, or a post that the viewer must not see. */
export function isOfOthers(event: StreamEvent, { player, viewer }: EventFilter): boolean {
  if (event.type === 'post') return viewer?.blocked.has(event.post.writer.id) === true
  return event.type === 'order' && event.userId !== player
}

export function isOfFairs(event: StreamEvent, { fairs }: EventFilter, known: FairReader): boolean {
  if (fairs === null) return true
  return fairs.includes(event.type === 'fair' ? event.fairId : (known.getFair(event.tokenId) ?? 0))
}

/** A text that is the same for filters that want the same events. */
export function toFilterKey({ tokens, fairs, kinds, player = 0, viewer }: EventFilter): string {
  return `${toKey(tokens)} ${toKey(fairs)} ${player} ${viewer?.userId ?? 0} ${EVENT_KINDS.filter((kind) => kinds.has(kind)).join(',')}`
}

function toKey(ids: readonly number[] | null): string {
  return ids === null ? '*' : [...ids].sort((a, b) => a - b).join(',')
}
