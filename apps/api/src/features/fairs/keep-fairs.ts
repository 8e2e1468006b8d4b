import { STORIES } from '@papermoon/bots'
import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App, AppPart } from '../../context.ts'
import { addFairTerms } from './fair-account.ts'
import { keepLeague } from './league/keep-league.ts'
import { fillBots, openFair } from './open-fair.ts'
import { getFairsDb } from './ranking.ts'
import { scheduleFairs } from './schedule.ts'
import { settleFair } from './settle.ts'

/** Max time between two checks in ms, because another process may have created or ended a fair. */
const CHECK_EVERY_MS = 2_000

const SCHEDULE_EVERY_MS = 30_000

/**
 * Time between two checks of a running fair, in ms. If nobody checked a fair for longer, the gap counts as downtime.
 */
const RUNNING_CHECK_EVERY_MS = 5_000

/** Max number of ended sandboxes that are stored per player, and for how many days. */
const SANDBOXES_MAX = 5

const SANDBOX_DAYS = 90

const MARKET_TABLES = [
  ...['trades', 'waiting_orders', 'holdings', 'rugs', 'seals', 'closed_candles', 'holder_checkpoints', 'pools'],
]

interface DueFair {
  readonly id: number
  readonly state: 'lobby' | 'open'
  readonly is_due: boolean
  readonly is_unseen: boolean
  readonly lacks_bots: boolean
  readonly lacks_tokens: boolean
}

/** Time of the server's next check of its fairs, in ms of the monotonic clock. */
const createNextLook = () => ({ atMs: 0 })

const LOOKING = -1

/** Makes this server check its fairs at once, because a fair was created or changed. */
export function checkFairs({ market: { memory } }: AppPart<'memory'>): void {
  memory.state(createNextLook).atMs = 0
}

/**
 * Returns a function that schedules the house's fairs, and starts and ends all fairs on time. Every node runs this
 * function. Locks ensure that each change happens once.
 */
export function createFairKeeper(app: App): (stopping: AbortSignal) => Promise<void> {
  const { db, timers, log, config } = app.platform
  const next = app.market.memory.state(createNextLook)
  let nextPlanMs = 0
  return async (stopping) => {
    if (timers.monotonic() < next.atMs) return
    next.atMs = LOOKING
    if (timers.monotonic() >= nextPlanMs) {
      if (config.fairs) await scheduleFairs(db, Date.now())
      await removeOldSandboxes(db)
      await keepLeague(db).catch((error: unknown) => log.warn({ err: error }, 'leagues could not be updated; retrying'))
      nextPlanMs = timers.monotonic() + SCHEDULE_EVERY_MS
    }
    for (const fair of await findDue(db)) {
      if (stopping.aborted) return
      // An error in one fair must not delay the others.
      await advance(app, fair).catch((error: unknown) =>
        log.warn({ err: error, fair: fair.id }, 'a fair could not be started or ended; retrying'),
      )
    }
    const waitMs = await findWait(db)
    if (next.atMs === LOOKING) next.atMs = timers.monotonic() + waitMs
  }
}

/** Returns the number of ms until the next start, bell or check of a running fair, by the database's clock. */
async function findWait(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(case state when 'lobby' then starts_at
             else least(bell_at, seen_at + ${RUNNING_CHECK_EVERY_MS} * interval '1 ms') end) - clock_timestamp())::float8 * 1000 as ms
      from fairs where state in ('lobby', 'open') and id > 1`.execute(db)
  return Math.min(CHECK_EVERY_MS, rows[0]?.ms ?? CHECK_EVERY_MS)
}

async function findDue(db: Db): Promise<DueFair[]> {
  const { rows } = await sql<DueFair>`
    select id, state, is_due, is_unseen, is_unseen and lacks_bots as lacks_bots, is_unseen and lacks_tokens as lacks_tokens from (
      select f.id, f.state,
             clock_timestamp() >= case f.state when 'lobby' then f.starts_at else f.bell_at end as is_due,
             f.state = 'open' and clock_timestamp() >= f.seen_at + ${RUNNING_CHECK_EVERY_MS} * interval '1 ms' as is_unseen,
             f.bots > (select count(*) from fairs.accounts a join users u on u.id = a.user_id
                 where a.fair_id = f.id and u.kind = 'house') as lacks_bots,
             f.house_tokens > (select count(*) from fairs.tokens t join users u on u.id = t.creator_id
                 where t.fair_id = f.id and u.kind = 'house' and t.request_key like 'fair-%') as lacks_tokens
        from fairs f where f.state in ('lobby', 'open') and f.id > 1
    ) f where is_due or is_unseen order by id`.execute(db)
  return rows
}

async function advance(app: App, { id, state, is_due, is_unseen, lacks_bots, lacks_tokens }: DueFair): Promise<void> {
  const { db } = app.platform
  if (is_unseen) await addDowntime(db, id)
  if (state === 'lobby') {
    await db.transaction().execute((tx) => openFair(tx, id))
    await launchHouseTokens(app, id)
  } else if (is_due) await settleFair(getFairsDb(app), id)
  else {
    if (lacks_bots) await fillBots(db, id)
    if (lacks_tokens) await launchHouseTokens(app, id)
  }
}

/** Adds the time in which no server was running to the fair's downtime. */
async function addDowntime(db: Db, id: number): Promise<void> {
  await sql`
    update fairs set seen_at = clock_timestamp(), lost_ms = lost_ms
        + case when clock_timestamp() > seen_at + ${2 * RUNNING_CHECK_EVERY_MS} * interval '1 ms'
            then extract(epoch from least(clock_timestamp(), bell_at) - seen_at)::numeric * 1000 else 0 end
     where id = ${id} and seen_at <= clock_timestamp() - ${RUNNING_CHECK_EVERY_MS} * interval '1 ms'`.execute(db)
}

/** Makes the fair's bots launch its house tokens. Idempotency keys ensure that each launch happens once. */
async function launchHouseTokens(app: App, fairId: number): Promise<void> {
  const fairs = app.market.fairs ?? app
  const { rows } = await sql<{ house_tokens: number; secret: Buffer; bots: UserId[] }>`
    select house_tokens, secret, array(select a.user_id from fairs.accounts a join users u on u.id = a.user_id
        where a.fair_id = f.id and u.kind = 'house' order by a.account_id) as bots
      from fairs f where id = ${fairId} and state = 'open'`.execute(app.platform.db)
  const [fair] = rows
  if (fair === undefined || fair.bots.length === 0) return
  const seed = fair.secret.readUInt32BE(0)
  await Promise.all(
    Array.from({ length: fair.house_tokens }, async (_, n) => {
      const userId = fair.bots[n % fair.bots.length] as UserId
      const { name, symbol, emoji, description } = STORIES[
        (seed + n * STRIDE) % STORIES.length
      ] as (typeof STORIES)[number]
      const token = { name, symbol, emoji, description, website: null, x: null, telegram: null }
      const order = { kind: 'launch', userId, token, requestKey: `fair-${fairId}-${n}`, isBot: true } as const
      await fairs.market.engine.submit(await addFairTerms(fairs, { order, fairId, isProgram: true, isHouse: true }))
    }),
  )
}

/**
 * The step through the list of token ideas. This step and the number of ideas have no common divisor, so all tokens in
 * a fair differ.
 */
const STRIDE = 7

/**
 * Deletes ended sandboxes that are too old, or that are too many for one player, with all their data. Sandboxes are not
 * part of any sum, hash chain or audit.
 */
export async function removeOldSandboxes(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select f.id, f.settled_at, row_number() over (partition by f.host_id order by f.id desc) as n from fairs f
       where f.kind = 'sandbox' and f.state in ('settled', 'void')) ended
     where n > ${SANDBOXES_MAX} or settled_at < clock_timestamp() - ${SANDBOX_DAYS} * interval '1 day'`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  await db.transaction().execute(async (tx) => {
    for (const table of MARKET_TABLES) {
      await sql`
        delete from ${sql.table(`fairs.${table}`)}
         where token_id in (select id from fairs.tokens where fair_id = any(${ids}))`.execute(tx)
    }
    for (const table of ['fairs.tokens', 'fairs.accounts', 'public.fair_results'])
      await sql`delete from ${sql.table(table)} where fair_id = any(${ids})`.execute(tx)
    await sql`delete from fairs where id = any(${ids})`.execute(tx)
  })
}
