import type { ChainPlace } from '@papermoon/chain'
import { useEffect, useMemo, useRef, useState } from 'react'
import { client, type TokenId } from '../../../lib/api/api.ts'
import { useRefetchOn } from '../../../lib/hooks/use-refetch-on.ts'
import {
  type Comparison,
  compareWithPublished,
  fetchPublishedHead,
  type PublishedPlace,
} from '../heads/published-head.ts'
import { retryAfter } from '../retry-after.ts'
import { sha256 } from './sha256.ts'
import { type ChainBreak, type Walk, type Walked, walkChain } from './walk-chain.ts'

/** Max additional walks for entries that arrive during the verification; after that the next trade continues it. */
const MORE_MAX = 5

/** The state of a check; `done` and `total` count entries. */
export type Check =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly done: number; readonly total: number | null }
  | Halted
  | { readonly state: 'broken'; readonly broken: ChainBreak; readonly start: ChainPlace; readonly place: ChainPlace }
  | Verified

/** A state from which the check can continue. */
type Halted = { readonly done: number } & (
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly error: unknown }
)

export interface Verified {
  readonly state: 'verified'
  readonly start: ChainPlace
  readonly place: ChainPlace
  readonly isClosed: boolean
  readonly comparison: Comparison
}

interface Reached {
  readonly walked: Walked
  readonly published: PublishedPlace | null
}

/** Verifies a token's chain in the browser, then verifies each new trade as it arrives. */
export function useChainCheck(id: TokenId) {
  const [check, setCheck] = useState<Check>({ state: 'idle' })
  const checker = useMemo(() => createChecker(id, setCheck), [id])
  useEffect(() => () => checker.stop(), [checker])
  const newest = useRef(0)
  useRefetchOn({
    concerns: ({ tokenId, seq }) => {
      if (tokenId !== id) return false
      newest.current = Math.max(newest.current, seq)
      return true
    },
    refetch: () => checker.follow(),
  })
  return {
    check,
    verify: (from: ChainPlace | null) => checker.verify(from, () => newest.current),
    stop: checker.stop,
    forget: checker.forget,
  }
}

function createChecker(id: TokenId, show: (check: Check) => void) {
  let check: Check = { state: 'idle' }
  let control = new AbortController()
  const put = (next: Check, { signal }: AbortController) => {
    if (signal.aborted) return
    check = next
    show(next)
  }
  /** Where an interrupted check continues, with the published head it started with. */
  let reached: Reached | null = null
  const doneOf = () => (reached === null ? 0 : reached.walked.place.seq - reached.walked.start.seq)

  return {
    /**
     * Verifies from a trusted place, from the launch, or from where it was interrupted. `newestSeq` returns the latest
     * entry known from live events.
     */
    async verify(from: ChainPlace | null, newestSeq: () => number): Promise<void> {
      control.abort()
      control = new AbortController()
      const own = control
      put({ state: 'running', done: doneOf(), total: null }, own)
      try {
        // Fetch before walking: a later publication may include entries the walk has not seen.
        const published = reached === null ? await fetchPublishedHead(id, own.signal) : reached.published
        const onPage = (walked: Walked, head: ChainPlace) => {
          if (own.signal.aborted) return
          reached = { walked, published }
          put({ state: 'running', done: doneOf(), total: head.seq - walked.start.seq }, own)
        }
        const known = { ...(published && { witness: published.seq }), ...(reached && { before: reached.walked }) }
        const walked = await walkToNewest({ ...settingsOf(id, own.signal), from, onPage, ...known }, newestSeq)
        put(verdictOf(walked, compareWithPublished(published, walked)), own)
        if (!own.signal.aborted) reached = null
      } catch (error) {
        put({ state: 'failed', error, done: doneOf() }, own)
      }
    },
    /** Verifies entries added since. On failure keeps the verdict; the next trade or reconnect retries. */
    async follow(): Promise<void> {
      if (check.state !== 'verified') return
      const own = control
      const before = check
      const settings = settingsOf(id, own.signal)
      const walked = await walkChain({ ...settings, from: null, before: { ...before, broken: null, witnessed: null } })
      if (check === before) put(verdictOf(walked, before.comparison), own)
    },
    stop(): void {
      if (check.state === 'running') put({ state: 'stopped', done: check.done }, control)
      control.abort()
    },
    /** Drops the interrupted state, when another start is chosen. */
    forget(): void {
      if (check.state !== 'stopped' && check.state !== 'failed') return
      reached = null
      check = { state: 'idle' }
      show(check)
    },
  }
}

/** Walks to the head, and again while entries arrive. */
async function walkToNewest(walk: Walk, newestSeq: () => number): Promise<Walked> {
  let walked = await walkChain(walk)
  for (let more = 0; more < MORE_MAX && walked.broken === null && walked.place.seq < newestSeq(); more++) {
    walked = await walkChain({ ...walk, before: walked })
  }
  return walked
}

function settingsOf(tokenId: TokenId, signal: AbortSignal) {
  const fetchPage = async (after: number) => {
    signal.throwIfAborted()
    return await retryAfter(() => client.proof.chain.query({ id: tokenId, after }, { signal }), signal)
  }
  return { tokenId, fetchPage, sha256 }
}

function verdictOf({ start, place, broken, isClosed }: Walked, comparison: Comparison): Check {
  if (broken !== null) return { state: 'broken', broken, start, place }
  return { state: 'verified', start, place, isClosed, comparison }
}
