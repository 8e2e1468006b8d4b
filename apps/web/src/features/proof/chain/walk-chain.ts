import {
  type ChainLaunch,
  type ChainPlace,
  entryText,
  type HashedEntry,
  launchText,
  type Sha256,
} from '@papermoon/chain'

/** A page of a token's chain, as the server tells it. */
export interface ChainPage {
  readonly genesis: ChainLaunch & { readonly hash: string }
  readonly head: ChainPlace
  readonly after: ChainPlace
  readonly entries: readonly HashedEntry[]
}

/**
 * What does not fit: `launch`, the text of the launch and its hash; `start`, what stands now where the walk begins; `token`
 * and `number`, whose entry it is and which; `hash`, an entry's figures and its hash; `head`, the last entry and what the
 * server says that it is.
 */
export type BreakKind = 'launch' | 'start' | 'token' | 'number' | 'hash' | 'head'

/** Where a chain breaks. */
export interface ChainBreak {
  readonly kind: BreakKind
  /** Number of the first entry that does not fit; 0 is the launch. */
  readonly seq: number
  readonly expected: string
  readonly found: string
}

export interface Walk {
  readonly tokenId: number
  /** What is trusted to begin with; null for nothing, from the launch on. */
  readonly from: ChainPlace | null
  /** A walk of the same chain to go on with from where it ended; it has its own beginning. */
  readonly before?: Walked
  /** The entries behind a number, some hundred at a time. */
  readonly fetchPage: (after: number) => Promise<ChainPage>
  readonly sha256: Sha256
  /** Hears how far the walk came after each page, and how far it goes. */
  readonly onPage?: (walked: Walked, head: ChainPlace) => void
  /** The entry whose hash the walk has to tell. */
  readonly witness?: number
}

/** How far a walk came: to the head, or to the last entry before the break. */
export interface Walked {
  readonly start: ChainPlace
  readonly place: ChainPlace
  readonly broken: ChainBreak | null
  /** The hash that was worked out for the witness; null where the walk did not come by. */
  readonly witnessed: string | null
  /** Whether a rug pull closed the chain. */
  readonly isClosed: boolean
}

/**
 * Works out every hash of a chain up to its head, page by page, each from the end of the one before; no page is kept. Throws
 * what `fetchPage` throws.
 */
export async function walkChain(walk: Walk): Promise<Walked> {
  let walked: Walked | null = walk.before ?? null
  for (;;) {
    const page = await walk.fetchPage(walked?.place.seq ?? walk.from?.seq ?? 0)
    walked ??= toBeginning(walk, page)
    const broken = await startBreak(walk, page, walked.place)
    walked = broken === null ? await walkPage(walk, page, walked) : { ...walked, broken }
    if (walked.broken !== null) return walked
    walk.onPage?.(walked, page.head)
    if (walked.place.seq >= page.head.seq) return { ...walked, broken: headBreak(page.head, walked.place) }
    if (page.entries.length === 0) return { ...walked, broken: missingEntry(walked.place.seq + 1) }
  }
}

function toBeginning({ from, witness }: Walk, { after }: ChainPage): Walked {
  const start = from ?? after
  const witnessed = start.seq === witness ? start.hash : null
  return { start, place: start, broken: null, witnessed, isClosed: false }
}

/** What the page follows, which nobody may have changed since the walk was there. */
async function startBreak({ tokenId, sha256 }: Walk, page: ChainPage, place: ChainPlace): Promise<ChainBreak | null> {
  const { genesis, after } = page
  if (genesis.tokenId !== tokenId) return differenceAt(0, 'token', String(tokenId), String(genesis.tokenId))
  const launch = await sha256(launchText(genesis))
  if (launch !== genesis.hash) return differenceAt(0, 'launch', launch, genesis.hash)
  if (place.seq === 0 && place.hash !== launch) return differenceAt(0, 'start', place.hash, launch)
  if (after.seq !== place.seq) return differenceAt(place.seq, 'number', String(place.seq), String(after.seq))
  return after.hash === place.hash ? null : differenceAt(place.seq, 'start', place.hash, after.hash)
}

async function walkPage(walk: Walk, page: ChainPage, before: Walked): Promise<Walked> {
  let { place, witnessed, isClosed } = before
  for (const entry of page.entries) {
    const broken = await entryBreak(walk, place, entry)
    if (broken !== null) return { ...before, place, witnessed, isClosed, broken }
    place = { seq: entry.seq, hash: entry.hash }
    if (entry.seq === walk.witness) witnessed = entry.hash
    isClosed = entry.kind === 'rug'
  }
  return { ...before, place, witnessed, isClosed }
}

async function entryBreak(
  { tokenId, sha256 }: Walk,
  place: ChainPlace,
  entry: HashedEntry,
): Promise<ChainBreak | null> {
  const seq = place.seq + 1
  if (entry.seq !== seq) return differenceAt(seq, 'number', String(seq), String(entry.seq))
  if (entry.tokenId !== tokenId) return differenceAt(seq, 'token', String(tokenId), String(entry.tokenId))
  const hash = await sha256(entryText(place.hash, entry))
  return entry.hash === hash ? null : differenceAt(seq, 'hash', hash, entry.hash)
}

function headBreak(head: ChainPlace, place: ChainPlace): ChainBreak | null {
  if (head.seq < place.seq) return differenceAt(head.seq + 1, 'number', String(head.seq), String(place.seq))
  return head.hash === place.hash ? null : differenceAt(head.seq, 'head', place.hash, head.hash)
}

function missingEntry(seq: number): ChainBreak {
  return differenceAt(seq, 'number', String(seq), 'nothing')
}

function differenceAt(seq: number, kind: BreakKind, expected: string, found: string): ChainBreak {
  return { kind, seq, expected, found }
}
