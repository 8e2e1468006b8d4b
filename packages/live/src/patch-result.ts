/** A query's result after an event. `stale` means that the event has too little data, so the query must be fetched again. */
export interface PatchResult<T> {
  readonly data: T
  readonly stale: boolean
}

/** Whether data up to `knownSeq` already includes an event, or the event is the next one, or leaves a gap. */
export function compareSeq(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
