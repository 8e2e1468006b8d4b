/** A query's result after an event; `stale`: the event does not carry enough, so the query must be read again. */
export interface PatchResult<T> {
  readonly data: T
  readonly stale: boolean
}

/** Whether an event is already included in data up to `knownSeq`, is the next one, or leaves a gap. */
export function compareSeq(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
