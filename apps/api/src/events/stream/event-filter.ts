import { DEFAULT_KINDS, EVENT_KINDS, type EventKind } from '@papermoon/contract/live'
import { isBlocked, type PostViewer } from '../../features/talk/blocked-players.ts'
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

/** The events that a listener wants. */
export interface EventFilter {
  /** Tokens of the filter. Null means all tokens, but no lobbies. A lobby's id is the negative id of its fair. */
  readonly tokens: readonly number[] | null
  /** Fairs of the filter. Null means all fairs of the stream. */
  readonly fairs: readonly number[] | null
  readonly kinds: ReadonlySet<EventKind>
  /** Player whose orders the listener receives. Undefined if the listener receives no orders. */
  readonly player?: number | undefined
  /** Player who reads the posts. Null or absent means a guest, who sees everyone's posts. */
  readonly viewer?: PostViewer | null
}

/** Filter of listeners that choose no filter. */
export const DEFAULT_FILTER: EventFilter = { tokens: null, fairs: null, kinds: new Set(DEFAULT_KINDS) }

export function toEventKind({ type }: StreamEvent): EventKind {
  return KINDS[type]
}

/**
 * Returns an event's token id. The id is 0 for an event of a whole fair, and the negative fair id for a post in a
 * lobby.
 */
export function tokenOf(event: StreamEvent): number {
  return event.type === 'fair' ? 0 : event.tokenId
}

/** Returns a token's fair, or undefined if the fair is not cached yet. */
interface FairReader {
  getFair(tokenId: number): number | undefined
}

export function isWanted(event: StreamEvent, filter: EventFilter, known: FairReader): boolean {
  const isNamed = filter.tokens?.includes(tokenOf(event)) ?? tokenOf(event) >= 0
  return isNamed && !isBlocked(event, filter.viewer) && matches(event, filter, known)
}

/** Returns whether a filter matches an event of its tokens. The viewer's blocks do not matter here. */
export function matches(event: StreamEvent, { kinds, player, fairs }: EventFilter, known: FairReader): boolean {
  if (!kinds.has(toEventKind(event)) || (event.type === 'order' && event.userId !== player)) return false
  return fairs === null || fairs.includes(event.type === 'fair' ? event.fairId : (known.getFair(event.tokenId) ?? 0))
}

/** Returns the same text for filters that match the same events. The viewers' blocks do not matter here. */
export function toFilterKey({ tokens, fairs, kinds, player = 0 }: EventFilter): string {
  return `${toKey(tokens)} ${toKey(fairs)} ${player} ${EVENT_KINDS.filter((kind) => kinds.has(kind)).join(',')}`
}

function toKey(ids: readonly number[] | null): string {
  return ids === null ? '*' : [...ids].sort((a, b) => a - b).join(',')
}
