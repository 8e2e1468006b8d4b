import fc from 'fast-check'

type SealTerm = 'hour' | 'day' | 'week' | 'ever'

/** Creators of an evening, each with one token. */
export const CREATORS = 3

export type Act =
  | { readonly kind: 'seal'; readonly creator: number; readonly term: SealTerm; readonly bag: boolean }
  | { readonly kind: 'rug' | 'erase'; readonly creator: number }
  /** Of the own token: all, what is not sealed, a lamport of a token more than that, or half. */
  | { readonly kind: 'sell'; readonly creator: number; readonly share: 'all' | 'free' | 'over' | 'half' }
  /** Of the own token, or of the next creator's. */
  | { readonly kind: 'buy'; readonly creator: number; readonly ofNext: boolean; readonly sol: string }
  | { readonly kind: 'reset'; readonly creator: number }
  | { readonly kind: 'suspend'; readonly creator: number; readonly isOver: boolean }

/** What happens at once, at one moment: so long after the round before, or after the next end of a seal. */
export interface Round {
  readonly afterMs: number
  readonly isFromEnd: boolean
  /** What the creator does whose seal ends. */
  readonly atEnd: 'rug' | 'sell'
  readonly acts: readonly { readonly act: Act; readonly node: number }[]
}

const MINUTE_MS = 60_000
const creator = fc.nat(CREATORS - 1)
const seal = fc.record({
  kind: fc.constant('seal' as const),
  creator,
  term: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<SealTerm>('hour', 'hour', 'day', 'week') },
    { weight: 1, arbitrary: fc.constant<SealTerm>('ever') },
  ),
  bag: fc.boolean(),
})
const rug = fc.record({ kind: fc.constant('rug' as const), creator })
const share = fc.constantFrom('all', 'free', 'over', 'half' as const)
const sell = fc.record({ kind: fc.constant('sell' as const), creator, share })
const sol = fc.constantFrom('0.05', '0.3', '1.000000001')
const buy = fc.record({ kind: fc.constant('buy' as const), creator, ofNext: fc.boolean(), sol })
const reset = fc.record({ kind: fc.constant('reset' as const), creator })
const suspend = fc.record({
  kind: fc.constant('suspend' as const),
  creator,
  isOver: fc.constantFrom(true, true, false),
})
const erase = fc.record({ kind: fc.constant('erase' as const), creator })

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 16, arbitrary: seal },
  { weight: 4, arbitrary: rug },
  { weight: 16, arbitrary: sell },
  { weight: 8, arbitrary: buy },
  { weight: 4, arbitrary: reset },
  { weight: 2, arbitrary: suspend },
  { weight: 1, arbitrary: erase },
)
const acts = fc.array(fc.record({ act, node: fc.nat(1) }), { minLength: 4, maxLength: 9, size: 'max' })
const atEnd = fc.constantFrom('rug', 'sell' as const)
const round = fc.oneof(
  fc.record({ afterMs: fc.constantFrom(-1, 0, 0, 1), isFromEnd: fc.constant(true), atEnd, acts }),
  fc.record({
    afterMs: fc.constantFrom(4_000, 5 * MINUTE_MS, 7 * MINUTE_MS, 50 * MINUTE_MS, 20 * 60 * MINUTE_MS),
    isFromEnd: fc.constant(false),
    atEnd,
    acts,
  }),
)

/** Random evenings. */
export const anyEvening: fc.Arbitrary<Round[]> = fc.array(round, { minLength: 5, maxLength: 9, size: 'max' })
