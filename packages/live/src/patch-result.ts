/** A query's result after an event, or `stale` if the event has too little data and the query must run again. */
export interface PatchResult<T> {
  readonly data: T
  readonly stale: boolean
}

/** Compares an event with data that includes events up to `knownSeq`: the event is included, next, or after a gap. */
export function compareSeq(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
