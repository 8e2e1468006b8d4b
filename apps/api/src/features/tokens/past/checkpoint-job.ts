import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenId } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'
import { findDueTokens, writeNextCheckpoint } from './checkpoints.ts'
import { SPACING } from './spacing.ts'

const LOOK_EVERY_MS = 1_000
/** How often all tokens are looked at: for those whose trades this node did not see. */
const SCAN_EVERY_MS = 600_000
/** The job works a tenth of the time at most: orders come first. */
const REST_PER_WORK = 9

type Parts = AppPart<'db' | 'log' | 'feed'>

/** Writes the checkpoints that have come due, one at a time. Several nodes may do this on one database. */
export function startCheckpointJob({ platform: { db, log }, live: { feed } }: Parts): PeriodicJob {
  const due = new Set<TokenId>()
  let scannedMs = Number.NEGATIVE_INFINITY
  const detach = feed.onEvent((event) => {
    if (event.type === 'trade' && event.seq % SPACING === 0) due.add(event.tokenId)
  })
  const writeDue = async (stopping: AbortSignal) => {
    if (performance.now() - scannedMs >= SCAN_EVERY_MS) {
      for (const tokenId of await findDueTokens(db)) due.add(tokenId)
      scannedMs = performance.now()
    }
    for (const tokenId of due) {
      // Before the work: a token that fails must not hold up the others. The next scan finds it again.
      due.delete(tokenId)
      await writeAll(tokenId, stopping)
    }
  }
  const writeAll = async (tokenId: TokenId, stopping: AbortSignal) => {
    for (;;) {
      stopping.throwIfAborted()
      const startedMs = performance.now()
      if (!(await writeNextCheckpoint(db, tokenId))) return
      await sleep((performance.now() - startedMs) * REST_PER_WORK, undefined, { signal: stopping })
    }
  }
  const job = startPeriodicJob(LOOK_EVERY_MS, writeDue, (error) =>
    log.warn({ err: error }, 'checkpoints of holdings are not written for now'),
  )
  return {
    stop: async () => {
      detach()
      await job.stop()
    },
  }
}
