/** A reading after an event; `stale` says that the event does not tell enough, and that it must be read again. */
export interface Patched<T> {
  readonly data: T
  readonly stale: boolean
}

/** What a token's event is to a reading that knows everything up to `knownSeq`. */
export function orderOf(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}
