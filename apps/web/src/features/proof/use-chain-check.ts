import type { ChainPlace } from '@papermoon/chain'
import { useEffect, useMemo, useRef, useState } from 'react'
import { client, type TokenId } from '../../lib/api.ts'
import { useRefetchOn } from '../../lib/use-refetch-on.ts'
import { patient } from './patient.ts'
import { type Comparison, comparisonOf, publishedHeadOf } from './published-head.ts'
import { sha256 } from './sha256.ts'
import { type ChainBreak, type Walked, walkChain } from './walk-chain.ts'

/** What happens while a chain is verified is verified with it, this many times; then the next trade brings the rest. */
const MORE_MAX = 5

/** How the check of a chain stands; `done` and `total` count entries. */
export type Check =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly done: number; readonly total: number | null }
  | { readonly state: 'stopped'; readonly done: number }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'broken'; readonly broken: ChainBreak; readonly start: ChainPlace; readonly place: ChainPlace }
  | Verified

export interface Verified {
  readonly state: 'verified'
  readonly start: ChainPlace
  readonly place: ChainPlace
  readonly isClosed: boolean
  readonly comparison: Comparison
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
  return { check, verify: (from: ChainPlace | null) => checker.verify(from, () => newest.current), stop: checker.stop }
}

function createChecker(id: TokenId, show: (check: Check) => void) {
  let check: Check = { state: 'idle' }
  let control = new AbortController()
  const put = (next: Check, { signal }: AbortController) => {
    if (signal.aborted) return
    check = next
    show(next)
  }
  const walk = (from: ChainPlace | null, { signal }: AbortController, about: Parameters<typeof settingsOf>[3] = {}) =>
    walkChain(settingsOf(id, from, signal, about))

  return {
    /** Verifies from a place that is trusted, or from the launch; `newestSeq` tells the last entry that was heard of. */
    async verify(from: ChainPlace | null, newestSeq: () => number): Promise<void> {
      control.abort()
      control = new AbortController()
      const own = control
      put({ state: 'running', done: 0, total: null }, own)
      try {
        // Before the chain: what is published later may be of entries that the walk did not see.
        const published = await publishedHeadOf(id, own.signal)
        const first = from?.seq ?? 0
        const onPage = ({ seq }: ChainPlace, head: ChainPlace) =>
          put({ state: 'running', done: seq - first, total: head.seq - first }, own)
        let walked = await walk(from, own, { onPage, ...(published && { witness: published.seq }) })
        const comparison = comparisonOf(published, walked)
        for (let more = 0; more < MORE_MAX && walked.broken === null && walked.place.seq < newestSeq(); more++) {
          walked = lengthened(walked, await walk(walked.place, own))
        }
        put(verdictOf(walked, comparison), own)
      } catch (error) {
        put({ state: 'failed', error }, own)
      }
    },
    /** Verifies what came since. Where the server is away the verdict stands, and the next trade or connection tries again. */
    async follow(): Promise<void> {
      if (check.state !== 'verified') return
      const own = control
      const before = check
      const walked = lengthened({ ...before, broken: null, witnessed: null }, await walk(before.place, own))
      if (check === before) put(verdictOf(walked, before.comparison), own)
    },
    stop(): void {
      if (check.state === 'running') put({ state: 'stopped', done: check.done }, control)
      control.abort()
    },
  }
}

function settingsOf(
  tokenId: TokenId,
  from: ChainPlace | null,
  signal: AbortSignal,
  about: { readonly onPage?: (place: ChainPlace, head: ChainPlace) => void; readonly witness?: number },
) {
  const fetchPage = async (after: number) => {
    signal.throwIfAborted()
    return await patient(() => client.proof.chain.query({ id: tokenId, after }, { signal }), signal)
  }
  return { tokenId, from, fetchPage, sha256, ...about }
}

/** A walk and the one that went on from its end. */
function lengthened(before: Walked, next: Walked): Walked {
  return { ...next, start: before.start, isClosed: before.isClosed || next.isClosed }
}

function verdictOf({ start, place, broken, isClosed }: Walked, comparison: Comparison): Check {
  if (broken !== null) return { state: 'broken', broken, start, place }
  return { state: 'verified', start, place, isClosed, comparison }
}
