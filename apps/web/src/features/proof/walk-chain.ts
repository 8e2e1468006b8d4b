import {
  type ChainLaunch,
  type ChainPosition,
  entryText,
  type HashedEntry,
  launchText,
  type Sha256,
} from '@papermoon/chain'

/** A page of a token's chain, as `proof.chain` returns it. */
export interface ChainPage {
  readonly genesis: ChainLaunch & { readonly hash: string }
  readonly head: ChainPosition
  readonly after: ChainPosition
  readonly entries: readonly HashedEntry[]
}

/**
 * The kind of mismatch. `launch`: the launch's text and hash. `start`: the entry at which the verification starts.
 * `token` and `number`: an entry's token or sequence number. `hash`: an entry's content and hash. `head`: the last
 * entry and the server's last hash.
 */
export type BreakKind = 'launch' | 'start' | 'token' | 'number' | 'hash' | 'head'

/** The entry at which a chain breaks. */
export interface ChainBreak {
  readonly kind: BreakKind
  /** `seq` of the first entry that does not match. 0 is the launch. */
  readonly seq: number
  readonly expected: string
  readonly found: string
}

export interface Walk {
  readonly tokenId: number
  /** The trusted entry at which the verification starts, or null to start at the launch. */
  readonly from: ChainPosition | null
  /** An interrupted verification of the same chain, to be continued. */
  readonly before?: Walked | undefined
  /** Returns the entries after a `seq`. Each call returns a few hundred entries. */
  readonly fetchPage: (after: number) => Promise<ChainPage>
  readonly sha256: Sha256
  /** The verification calls this function after each page with the progress and the chain's last entry. */
  readonly onPage?: (walked: Walked, head: ChainPosition) => void
  /** Sequence number of an entry whose hash the verification must report. */
  readonly witness?: number | undefined
}

/** The progress of a verification, up to the chain's last entry or the last entry before the break. */
export interface Walked {
  readonly start: ChainPosition
  readonly position: ChainPosition
  readonly broken: ChainBreak | null
  /** The computed hash of the witness entry, or null if the verification did not reach that entry. */
  readonly witnessed: string | null
  /** Whether a rug pull closed the chain. */
  readonly isClosed: boolean
}

/**
 * Recomputes every hash of a chain up to its last entry, page by page. Keeps no pages in memory, and rethrows errors
 * from `fetchPage`.
 */
export async function walkChain(walk: Walk): Promise<Walked> {
  let walked: Walked | null = walk.before ?? null
  for (;;) {
    const page = await walk.fetchPage(walked?.position.seq ?? walk.from?.seq ?? 0)
    walked ??= toBeginning(walk, page)
    const broken = await startBreak(walk, page, walked.position)
    walked = broken === null ? await walkPage(walk, page, walked) : { ...walked, broken }
    if (walked.broken !== null) return walked
    walk.onPage?.(walked, page.head)
    if (walked.position.seq >= page.head.seq) return { ...walked, broken: headBreak(page.head, walked.position) }
    if (page.entries.length === 0) return { ...walked, broken: missingEntry(walked.position.seq + 1) }
  }
}

function toBeginning({ from, witness }: Walk, { after }: ChainPage): Walked {
  const start = from ?? after
  const witnessed = start.seq === witness ? start.hash : null
  return { start, position: start, broken: null, witnessed, isClosed: false }
}

/**
 * Returns a break if a page does not follow the entry at which the previous page ended, because the chain has changed
 * in between.
 */
async function startBreak(
  { tokenId, sha256 }: Walk,
  page: ChainPage,
  position: ChainPosition,
): Promise<ChainBreak | null> {
  const { genesis, after } = page
  if (genesis.tokenId !== tokenId) return differenceAt(0, 'token', String(tokenId), String(genesis.tokenId))
  const launch = await sha256(launchText(genesis))
  if (launch !== genesis.hash) return differenceAt(0, 'launch', launch, genesis.hash)
  if (position.seq === 0 && position.hash !== launch) return differenceAt(0, 'start', position.hash, launch)
  if (after.seq !== position.seq) return differenceAt(position.seq, 'number', String(position.seq), String(after.seq))
  return after.hash === position.hash ? null : differenceAt(position.seq, 'start', position.hash, after.hash)
}

async function walkPage(walk: Walk, page: ChainPage, before: Walked): Promise<Walked> {
  let { position, witnessed, isClosed } = before
  for (const entry of page.entries) {
    const broken = await entryBreak(walk, position, entry)
    if (broken !== null) return { ...before, position, witnessed, isClosed, broken }
    position = { seq: entry.seq, hash: entry.hash }
    if (entry.seq === walk.witness) witnessed = entry.hash
    isClosed = entry.kind === 'rug'
  }
  return { ...before, position, witnessed, isClosed }
}

async function entryBreak(
  { tokenId, sha256 }: Walk,
  position: ChainPosition,
  entry: HashedEntry,
): Promise<ChainBreak | null> {
  const seq = position.seq + 1
  if (entry.seq !== seq) return differenceAt(seq, 'number', String(seq), String(entry.seq))
  if (entry.tokenId !== tokenId) return differenceAt(seq, 'token', String(tokenId), String(entry.tokenId))
  const hash = await sha256(entryText(position.hash, entry))
  return entry.hash === hash ? null : differenceAt(seq, 'hash', hash, entry.hash)
}

function headBreak(head: ChainPosition, position: ChainPosition): ChainBreak | null {
  if (head.seq < position.seq) return differenceAt(head.seq + 1, 'number', String(head.seq), String(position.seq))
  return head.hash === position.hash ? null : differenceAt(head.seq, 'head', position.hash, head.hash)
}

function missingEntry(seq: number): ChainBreak {
  return differenceAt(seq, 'number', String(seq), 'nothing')
}

function differenceAt(seq: number, kind: BreakKind, expected: string, found: string): ChainBreak {
  return { kind, seq, expected, found }
}
