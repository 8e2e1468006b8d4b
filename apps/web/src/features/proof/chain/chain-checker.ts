import type { ChainPosition } from '@papermoon/chain'
import { client, type TokenId } from '../../../lib/api/api.ts'
import {
  type Comparison,
  compareWithPublished,
  fetchPublishedCheckpoint,
  type PublishedCheckpoint,
} from '../heads/published-checkpoint.ts'
import { retryAfter } from '../retry-after.ts'
import { sha256 } from './sha256.ts'
import { type ChainBreak, type Walk, type Walked, walkChain } from './walk-chain.ts'

/**
 * Max number of additional passes for entries that arrive during the verification. After that many passes, the next
 * trade continues the verification.
 */
const MORE_MAX = 5

/** The state of a verification. `done` and `total` are numbers of entries. */
export type Check =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly done: number; readonly total: number | null }
  | { readonly state: 'stopped'; readonly done: number }
  | { readonly state: 'failed'; readonly done: number; readonly error: unknown }
  | {
      readonly state: 'broken'
      readonly broken: ChainBreak
      readonly start: ChainPosition
      readonly position: ChainPosition
    }
  | Verified

export interface Verified {
  readonly state: 'verified'
  readonly start: ChainPosition
  readonly position: ChainPosition
  readonly isClosed: boolean
  readonly comparison: Comparison
}

/** The progress of an unfinished verification, and the published hash that it started with. */
interface Progress {
  readonly walked: Walked
  readonly published: PublishedCheckpoint | null
}

/** Verifies a token's chain, then follows it. Calls `onChange` after each change of the state. */
export class ChainChecker {
  readonly #id: TokenId
  readonly #onChange: (check: Check) => void
  #check: Check = { state: 'idle' }
  #control = new AbortController()
  #progress: Progress | null = null

  constructor(id: TokenId, onChange: (check: Check) => void) {
    this.#id = id
    this.#onChange = onChange
  }

  /**
   * Verifies the chain. The verification starts at a trusted entry, at the launch (null), or where an earlier
   * verification stopped. `newestSeq` returns the latest entry known from live events.
   */
  async verify(from: ChainPosition | null, newestSeq: () => number): Promise<void> {
    this.#control.abort()
    this.#control = new AbortController()
    const { signal } = this.#control
    this.#set({ state: 'running', done: this.#done, total: null }, signal)
    try {
      // Fetch the published hash first, because a later publication may include entries that were not verified here.
      const published =
        this.#progress === null ? await fetchPublishedCheckpoint(this.#id, signal) : this.#progress.published
      const walked = await walkToNewest(this.#walkFrom(from, published, signal), newestSeq)
      this.#set(toVerdict(walked, compareWithPublished(published, walked)), signal)
      if (!signal.aborted) this.#progress = null
    } catch (error) {
      this.#set({ state: 'failed', error, done: this.#done }, signal)
    }
  }

  /**
   * Verifies the entries that were added since the last verification. Throws if the server is unreachable, and keeps
   * the previous result.
   */
  async follow(): Promise<void> {
    const before = this.#check
    if (before.state !== 'verified') return
    const { signal } = this.#control
    const { start, position, isClosed } = before
    const end: Walked = { start, position, isClosed, broken: null, witnessed: null }
    const walked = await walkChain({ ...createReader(this.#id, signal), from: null, before: end })
    if (this.#check === before) this.#set(toVerdict(walked, before.comparison), signal)
  }

  /** Interrupts the verification. `verify` continues it. */
  stop(): void {
    if (this.#check.state === 'running') {
      this.#set({ state: 'stopped', done: this.#check.done }, this.#control.signal)
    }
    this.#control.abort()
  }

  /** Discards an interrupted verification when the player chooses another starting entry. */
  forget(): void {
    if (this.#check.state !== 'stopped' && this.#check.state !== 'failed') return
    this.#progress = null
    this.#check = { state: 'idle' }
    this.#onChange(this.#check)
  }

  get #done(): number {
    return this.#progress === null ? 0 : this.#progress.walked.position.seq - this.#progress.walked.start.seq
  }

  #set(check: Check, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#check = check
    this.#onChange(check)
  }

  #walkFrom(from: ChainPosition | null, published: PublishedCheckpoint | null, signal: AbortSignal): Walk {
    const onPage = (walked: Walked, head: ChainPosition) => {
      if (signal.aborted) return
      this.#progress = { walked, published }
      this.#set({ state: 'running', done: this.#done, total: head.seq - walked.start.seq }, signal)
    }
    return {
      ...createReader(this.#id, signal),
      from,
      onPage,
      ...(published !== null && { witness: published.seq }),
      ...(this.#progress !== null && { before: this.#progress.walked }),
    }
  }
}

/** Verifies up to the last entry, again and again while new entries arrive. */
async function walkToNewest(walk: Walk, newestSeq: () => number): Promise<Walked> {
  let walked = await walkChain(walk)
  for (let more = 0; more < MORE_MAX && walked.broken === null && walked.position.seq < newestSeq(); more++) {
    walked = await walkChain({ ...walk, before: walked })
  }
  return walked
}

function createReader(tokenId: TokenId, signal: AbortSignal): Pick<Walk, 'tokenId' | 'fetchPage' | 'sha256'> {
  const fetchPage = async (after: number) => {
    signal.throwIfAborted()
    return await retryAfter(() => client.proof.chain.query({ id: tokenId, after }, { signal }), signal)
  }
  return { tokenId, fetchPage, sha256 }
}

function toVerdict({ start, position, broken, isClosed }: Walked, comparison: Comparison): Check {
  if (broken !== null) return { state: 'broken', broken, start, position }
  return { state: 'verified', start, position, isClosed, comparison }
}
