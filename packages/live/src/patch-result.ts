/** A query's result after an event. `stale` means that the event has too little data, so the query must run again. */
export interface PatchResult<T> {
  readonly data: T
  readonly stale: boolean
}

/**
 * Compares data up to `knownSeq` with an event: the data already includes the event, the event is the next one, or
 * events are missing between them.
 */
export function compareSeq(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
