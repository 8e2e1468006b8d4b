import { Decimal } from '@papermoon/amm'
import type { DatabaseClient, Db, FairResultsTable, FairsDatabase } from '@papermoon/db'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Config } from '../../config.ts'
import type { AppPart } from '../../context.ts'
import { readDatabaseTime } from '../../database/probe-database.ts'
import { type ChildScript, runChild } from '../../lib/run-child.ts'
import { computeResults, type ResultRow } from '../fairs/public.ts'
import { findBreak } from '../moderation/public.ts'
import { auditLeagues } from './audit-leagues.ts'
import { type AuditReport, auditMarket } from './audit-market.ts'
import { Differences } from './differences.ts'

/** The result of an audit of the fairground, and the number of other fairs. */
interface WholeAudit extends AuditReport {
  readonly fairs: number
}

/**
 * Replays the whole journal of the fairground and of all other fairs (`auditMarket`, `auditFairs`), recomputes the
 * leagues, and checks the moderation log's chain. Records the time of the audit, the last audited trade, and the number
 * of differences. The other recorded numbers cover only the fairground, because numbers of rooms are private.
 */
export async function runAudit({ db, pool }: Pick<DatabaseClient, 'db' | 'pool'>): Promise<WholeAudit> {
  const startedAt = await readDatabaseTime(db)
  const fairground = await auditMarket(pool)
  const inFairs = await auditMarket(pool, 'fairs')
  const sums = new Differences()
  const fairs = await auditFairs(db, sums)
  await auditLeagues(db, sums)
  const brokenAt = await findBreak(db)
  if (brokenAt !== null) sums.add('moderation log', `row ${brokenAt} was changed or is missing`)
  const report = {
    ...fairground,
    fairs,
    differences: fairground.differences + inFairs.differences + sums.count,
    shown: [...fairground.shown, ...inFairs.shown, ...sums.shown],
  }
  const { lastTradeId, trades, tokens, players, differences } = report
  await db
    .insertInto('audits')
    .values({
      started_at: startedAt,
      finished_at: await readDatabaseTime(db),
      last_trade_id: lastTradeId,
      trades,
      tokens,
      players,
      differences,
    })
    .execute()
  return report
}

/**
 * Checks the sums of every fair, and recomputes the results of ended fairs from the journal and the accounts. Returns
 * the number of audited fairs. Each fair is read in its own snapshot.
 */
async function auditFairs(db: Db, differences: Differences): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from fairs where id > 1 order by id`.execute(db)
  for (const { id } of rows) {
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await sql`set local search_path = fairs, public`.execute(tx)
        await auditFair(tx as never, id, differences)
      })
  }
  return rows.length
}

async function auditFair(tx: Transaction<FairsDatabase>, fairId: number, differences: Differences): Promise<void> {
  const { sum, entrants } = await computeResults(tx, fairId)
  const where = `fair ${fairId}`
  const standings = new Decimal(sum.standings).add(sum.dust)
  const expected = new Decimal(sum.stakes).sub(sum.fees)
  differences.compare(where, [{ figure: 'sum of all scores and rounding remainders', stored: standings, expected }])
  const { settled_at: settledAt } = await tx
    .selectFrom('fairs')
    .select('settled_at')
    .where('id', '=', fairId)
    .executeTakeFirstOrThrow()
  if (settledAt === null) return
  const results = await tx
    .selectFrom('fair_results')
    .selectAll()
    .where('fair_id', '=', fairId)
    .orderBy('place')
    .execute()
  if (results.length !== entrants.length) {
    differences.add(where, `there are ${results.length} results, but there should be ${entrants.length}`)
    return
  }
  const expectedOf = new Map(entrants.map((entrant) => [entrant.userId as number, entrant]))
  for (const [index, result] of results.entries()) {
    compareResult(result, expectedOf.get(result.user_id), differences)
    const above = results[index - 1]
    if (above !== undefined && !isInOrder(above, result))
      differences.add(`${where}, rank ${result.place}`, `this rank should be above rank ${above.place}`)
  }
}

/**
 * Returns whether two rows are in order: ranked players first, by score. Earlier versions sorted unranked players by
 * their result.
 */
function isInOrder(above: Selectable<FairResultsTable>, below: Selectable<FairResultsTable>): boolean {
  if (above.is_ranked !== below.is_ranked) return above.is_ranked
  const isByScore = new Decimal(above.score).gte(below.score)
  return isByScore || (!below.is_ranked && new Decimal(above.standing).gte(below.standing))
}

function compareResult(
  { fair_id, place, ...stored }: Selectable<FairResultsTable>,
  expected: ResultRow | undefined,
  differences: Differences,
): void {
  const where = `fair ${fair_id}, rank ${place}`
  if (expected === undefined) {
    differences.add(where, `player ${stored.user_id} has no account in this fair`)
    return
  }
  differences.compare(where, [
    { figure: 'standing', stored: new Decimal(stored.standing), expected: new Decimal(expected.standing) },
    { figure: 'score', stored: new Decimal(stored.score), expected: new Decimal(expected.score) },
    { figure: 'number of trades', stored: new Decimal(stored.trades), expected: new Decimal(expected.trades) },
  ])
}

/** Max time for a replay in ms, enough for more than a hundred million trades. */
const REPLAY_MAX_MS = 4 * 3_600_000

/** Max length of the stored output in characters. Only the end is stored, because it contains the findings. */
const OUTPUT_CHARS_MAX = 20_000

const EXIT_DIFFERENCES = 1

type Parts = AppPart<'db' | 'log'> & { readonly platform: { readonly config: Pick<Config, 'auditEveryHours'> } }

/**
 * Every `auditEveryHours`, replays the whole journal in a child process with the lowest priority, so that trading does
 * not wait. The child process takes a lock, so that only one node replays at a time. If the setting is 0, no audit
 * runs.
 */
export async function replayIfDue(parts: Parts, script: ChildScript, stopping: AbortSignal): Promise<void> {
  const { db, config, log } = parts.platform
  if (config.auditEveryHours === 0) return
  if (!(await isAuditDue(db, config.auditEveryHours)) || stopping.aborted) return
  const limits = { maxMs: REPLAY_MAX_MS, outputCharsMax: OUTPUT_CHARS_MAX }
  const { code, output } = await runChild(script, { stopping, ...limits })
  if (stopping.aborted) return
  if (code === 0) log.info({ output }, 'the journal was replayed')
  else if (code === EXIT_DIFFERENCES) log.error({ output }, 'a replay of the journal found differences')
  else log.warn({ output, code }, 'the journal could not be replayed')
}

/**
 * Returns whether an audit is due: there was no full replay, or the last one ended at least `everyHours` ago. If
 * `moment` is absent, uses PostgreSQL's clock. Ignores a replay whose time lies in the future, because a clock was
 * wrong.
 */
export async function isAuditDue(db: Db, everyHours: number, moment?: Date): Promise<boolean> {
  const now = moment ?? (await readDatabaseTime(db))
  const { rows } = await sql<{ at: Date | null }>`
    select max(finished_at) as at from audits where finished_at <= ${now}`.execute(db)
  const at = rows[0]?.at ?? null
  return at === null || now.getTime() - at.getTime() >= everyHours * 3_600_000
}
