/**
 * A query's result after an event. The result is `stale` if the event has too little data, so that the query must run
 * again.
 */
export interface PatchResult<T> {
  readonly data: T
  readonly stale: boolean
}

/**
 * Compares an event with data that includes events up to `knownSeq`. The data already includes the event, the event is
 * the next one, or events are missing before it.
 */
export function compareSeq(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
