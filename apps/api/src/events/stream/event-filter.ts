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
  /** Null means all tokens, without lobbies. A lobby is the negative id of its fair. */
  readonly tokens: readonly number[] | null
  /** Null means all fairs of the stream. */
  readonly fairs: readonly number[] | null
  readonly kinds: ReadonlySet<EventKind>
  /** Player whose orders the listener receives. Undefined if the listener receives no orders. */
  readonly player?: number | undefined
  /** Player who reads the posts. Null or absent: a guest, who sees everyone's posts. */
  readonly viewer?: PostViewer | null
}

/** Filter of listeners that do not choose anything. */
export const DEFAULT_FILTER: EventFilter = { tokens: null, fairs: null, kinds: new Set(DEFAULT_KINDS) }

export function toEventKind({ type }: StreamEvent): EventKind {
  return KINDS[type]
}

/** Returns an event's token: 0 for an event of a whole fair, the negative fair id for a post in a lobby. */
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

/** Returns whether a filter matches an event of its tokens, without regard to the viewer's blocks. */
export function matches(event: StreamEvent, { kinds, player, fairs }: EventFilter, known: FairReader): boolean {
  if (!kinds.has(toEventKind(event)) || (event.type === 'order' && event.userId !== player)) return false
  return fairs === null || fairs.includes(event.type === 'fair' ? event.fairId : (known.getFair(event.tokenId) ?? 0))
}

/** Returns equal texts for filters that match the same events, without regard to the viewers' blocks. */
export function toFilterKey({ tokens, fairs, kinds, player = 0 }: EventFilter): string {
  return `${toKey(tokens)} ${toKey(fairs)} ${player} ${EVENT_KINDS.filter((kind) => kinds.has(kind)).join(',')}`
}

function toKey(ids: readonly number[] | null): string {
  return ids === null ? '*' : [...ids].sort((a, b) => a - b).join(',')
}
