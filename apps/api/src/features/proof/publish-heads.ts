import { createHash } from 'node:crypto'
import { headLine, publicationStart } from '@papermoon/chain'
import type { Db, Tx } from '@papermoon/db'
import type { AppPart } from '../../context.ts'
import { readDatabaseTime } from '../../database/time.ts'
import {
  findHeads,
  findPublication,
  keepMovedHeads,
  lastHour,
  lockPublishing,
  recordPublication,
} from './heads-store.ts'

/**
 * Returns a run that publishes all chains' last hashes once an hour, by default by PostgreSQL's clock: soon after the
 * full hour, or later if that was missed. Several nodes can do this on one database.
 */
export function createHeadPublisher(
  { platform: { db, log } }: AppPart<'db' | 'log'>,
  now: () => Promise<Date> = () => readDatabaseTime(db),
): (stopping?: AbortSignal) => Promise<void> {
  /** The last hour that was published, in ms. */
  let doneMs = 0
  return async (stopping) => {
    const moment = await now()
    const hourMs = startOfHour(moment).getTime()
    if (hourMs === doneMs) return
    const published = await publishHeads(db, moment, stopping)
    if (published === 'elsewhere' || published === 'nothing') return
    doneMs = hourMs
    if (published === 'ahead') {
      log.warn(
        { now: moment },
        'the last published chain heads are dated in the future (wrong clock); publishing resumes at that time',
      )
    } else if (published !== 'before') {
      log.info({ tokens: published }, 'the chain heads were published')
    }
  }
}

const HOUR_MS = 3_600_000
/** Max time for a statement in ms, enough for a hundred thousand tokens that all changed. Nobody waits for it. */
const STATEMENT_TIMEOUT_MS = 60_000
/** Max number of hashes in memory at once. */
const PAGE = 5_000

export function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
}

/**
 * The number of tokens, or why nothing was published. `before`: this hour is already published; `ahead`: a later hour
 * is, because a clock was wrong; `elsewhere`: another node is publishing; `nothing`: there is no token.
 */
type Published = number | 'before' | 'ahead' | 'elsewhere' | 'nothing'

/** Publishes all chains' current hashes for this hour. On `stopping`, throws and publishes nothing. */
export async function publishHeads(db: Db, now: Date, stopping?: AbortSignal): Promise<Published> {
  const hour = startOfHour(now)
  // The isolation level is read committed, so after taking the lock this sees what was published before.
  return await db.transaction().execute(async (tx) => {
    if (!(await lockPublishing(tx, STATEMENT_TIMEOUT_MS))) return 'elsewhere'
    const last = await lastHour(tx)
    if (last !== null && last >= hour) return last > hour ? 'ahead' : 'before'
    const previous = last === null ? null : ((await findPublication(tx, last))?.digest ?? null)
    await keepMovedHeads(tx, hour)
    const { tokens, digest } = await computeDigest(tx, { hour, previous }, stopping)
    if (tokens === 0) return 'nothing'
    await recordPublication(tx, { hour, published_at: now, tokens, previous, digest })
    return tokens
  })
}

async function computeDigest(
  tx: Tx,
  { hour, previous }: { readonly hour: Date; readonly previous: string | null },
  stopping?: AbortSignal,
): Promise<{ tokens: number; digest: string }> {
  const digest = createHash('sha256').update(publicationStart({ hour: hour.toISOString(), previous }))
  let tokens = 0
  let after = 0
  for (;;) {
    stopping?.throwIfAborted()
    const heads = await findHeads(tx, hour, { after, limit: PAGE })
    for (const head of heads) digest.update(headLine(head))
    tokens += heads.length
    after = heads.at(-1)?.tokenId ?? after
    if (heads.length < PAGE) return { tokens, digest: digest.digest('hex') }
  }
}
