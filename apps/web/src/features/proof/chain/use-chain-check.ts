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

/** What happens while a chain is verified is verified with it, this many times; then the next trade brings the rest. */
const MORE_MAX = 5

/** How the check of a chain stands; `done` and `total` count entries. */
export type Check =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly done: number; readonly total: number | null }
  | Halted
  | { readonly state: 'broken'; readonly broken: ChainBreak; readonly start: ChainPlace; readonly place: ChainPlace }
  | Verified

/** One that may go on from where it stands. */
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

/** Checks a token's chain in the browser, and then follows it: each new trade is verified as it happens. */
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
  /** Where a check that was stopped or failed goes on, with the head that it began with. */
  let reached: Reached | null = null
  const doneOf = () => (reached === null ? 0 : reached.walked.place.seq - reached.walked.start.seq)

  return {
    /**
     * Verifies from a place that is trusted, or from the launch, or goes on where it was held up; `newestSeq` tells the last
     * entry that was heard of.
     */
    async verify(from: ChainPlace | null, newestSeq: () => number): Promise<void> {
      control.abort()
      control = new AbortController()
      const own = control
      put({ state: 'running', done: doneOf(), total: null }, own)
      try {
        // Before the chain: what is published later may be of entries that the walk did not see.
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
    /** Verifies what came since. Where the server is away the verdict stands, and the next trade or connection tries again. */
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
    /** What was held up begins again, where another beginning is chosen. */
    forget(): void {
      if (check.state !== 'stopped' && check.state !== 'failed') return
      reached = null
      check = { state: 'idle' }
      show(check)
    },
  }
}

/** Walks to the head, and on to what happened meanwhile. */
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
