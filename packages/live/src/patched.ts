/** A query's result after an event; `stale`: the event does not carry enough, so the query must be read again. */
export interface PatchResult<T> {
  readonly data: T
  readonly stale: boolean
}

/** What a token's event is to a reading that knows everything up to `knownSeq`. */
export function orderOf(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
