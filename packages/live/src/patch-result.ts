/** A query's result after an event. It is `stale` if the event has too little data, so the query must run again. */
export interface PatchResult<T> {
  readonly data: T
  readonly stale: boolean
}

/**
 * Compares an event with data that includes events up to `knownSeq`. The event is already included, the next one, or
 * after a gap.
 */
export function compareSeq(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
