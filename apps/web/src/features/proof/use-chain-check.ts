import type { ChainPosition } from '@papermoon/chain'
import { useEffect, useRef, useState } from 'react'
import { client, type MarketEvent, type TokenId } from '../../lib/api/api.ts'
import { sha256 } from '../../lib/format/sha256.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import {
  type Comparison,
  compareWithPublished,
  fetchPublishedCheckpoint,
  type PublishedCheckpoint,
} from './published-hashes.ts'
import { retryAfter } from './retry-after.ts'
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
  | { readonly state: 'broken'; readonly broken: ChainBreak; readonly start: ChainPosition }
  | Verified

export interface Verified extends Pick<Walked, 'start' | 'position' | 'isClosed'> {
  readonly state: 'verified'
  readonly comparison: Comparison
}

/** The progress of an unfinished verification, and the published hash that it started with. */
interface Progress {
  readonly walked: Walked
  readonly published: PublishedCheckpoint | null
}

/**
 * Verifies a token's chain in the browser, then verifies each new trade as it arrives. `verify` starts at a trusted
 * entry, at the launch (null), or where an interrupted verification stopped.
 */
export function useChainCheck(id: TokenId) {
  const [check, setCheck] = useState<Check>({ state: 'idle' })
  const progress = useRef<Progress | null>(null)
  const control = useRef(new AbortController())
  const newestSeq = useRef(0)
  useEffect(() => () => control.current.abort(), [])
  const verify = async (from: ChainPosition | null) => {
    control.current.abort()
    control.current = new AbortController()
    const { signal } = control.current
    const show = (next: Check) => signal.aborted || setCheck(next)
    show({ state: 'running', done: countDone(progress.current), total: null })
    try {
      // Fetch the published hash first, because a later publication may include entries that were not verified here.
      const before = progress.current
      const published = before === null ? await fetchPublishedCheckpoint(id, signal) : before.published
      const onPage = (walked: Walked, head: ChainPosition) => {
        if (signal.aborted) return
        progress.current = { walked, published }
        show({ state: 'running', done: countDone(progress.current), total: head.seq - walked.start.seq })
      }
      const walk = { ...createReader(id, signal), from, onPage, witness: published?.seq, before: before?.walked }
      const walked = await walkToNewest(walk, () => newestSeq.current)
      show(toVerdict(walked, compareWithPublished(published, walked)))
      if (!signal.aborted) progress.current = null
    } catch (error) {
      show({ state: 'failed', error, done: countDone(progress.current) })
    }
  }
  const isNews = ({ tokenId, seq }: MarketEvent) => {
    if (tokenId !== id) return false
    newestSeq.current = Math.max(newestSeq.current, seq)
    return true
  }
  // Keep the verdict after a failure. The hook tries again at the next trade or reconnect.
  useRefetchOn(isNews, async () => {
    if (check.state !== 'verified') return
    const before: Walked = { ...check, broken: null, witnessed: null }
    const walked = await walkChain({ ...createReader(id, control.current.signal), from: null, before })
    setCheck((now) => (now === check ? toVerdict(walked, check.comparison) : now))
  })
  return {
    check,
    verify,
    /** Interrupts the verification. `verify` continues it. */
    stop: () => {
      control.current.abort()
      if (check.state === 'running') setCheck({ state: 'stopped', done: check.done })
    },
    /** Discards an interrupted verification when the player chooses another starting entry. */
    forget: () => {
      if (check.state !== 'stopped' && check.state !== 'failed') return
      progress.current = null
      setCheck({ state: 'idle' })
    },
  }
}

function countDone(progress: Progress | null): number {
  return progress === null ? 0 : progress.walked.position.seq - progress.walked.start.seq
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
  if (broken !== null) return { state: 'broken', broken, start }
  return { state: 'verified', start, position, isClosed, comparison }
}
