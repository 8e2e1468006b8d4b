import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assertExactJournal } from './support/exact-journal.ts'
import { type KillableServer, startKillableServer } from './support/killable-server.ts'
import { type Acknowledged, startLoad } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import { readSize, say } from './support/size.ts'

const PLAYERS = 6
const TOKENS = 3
/** Concurrent orders per player. */
const LANES = 4
/**
 * Number of acknowledged orders before a kill, which grows with each round. `AFTER_KILL` is the number after the kill.
 */
const BEFORE_KILL = { least: 50, more: 7, most: 250 }
const AFTER_KILL = 100
const COMMIT_LOCK = 424_242

const VICTIMS = ['the API and PostgreSQL', 'PostgreSQL', 'the API'] as const
const ROUNDS = readSize('rounds', VICTIMS.length, 50)

let server: KillableServer
/** Every order that the server acknowledged. */
const acknowledged: Acknowledged[] = []
beforeAll(async () => {
  server = await startKillableServer()
  const database = server.openDatabase()
  // Make each trade wait for this lock when it commits, so that a test can hold commits back.
  await sql`
    create function wait_to_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${sql.lit(COMMIT_LOCK)}); return null; end $$`.execute(database.db)
  await sql`
    create constraint trigger wait_to_commit after insert on trades deferrable initially deferred
      for each row execute function wait_to_commit()`.execute(database.db)
  await database.close()
})
afterAll(() => server?.remove())

it.each(
  Array.from({ length: ROUNDS }, (_, round) => ({ round, victim: VICTIMS[round % VICTIMS.length] ?? 'the API' })),
)(
  'kill -9 of $victim under load loses no acknowledged trade, repeats none and leaves every sum exact',
  async ({ round, victim }) => {
    const load = startLoad({ ...(await newMarket(server.url, PLAYERS, TOKENS)), lanes: LANES })
    const { least, more, most } = BEFORE_KILL
    await load.until(least + ((round * more) % (most - least)))
    await whileOneCommits(async () => {
      if (victim !== 'PostgreSQL') await server.killApi()
      if (victim !== 'the API') server.killPostgres()
    })
    if (victim !== 'PostgreSQL') await server.start()
    await load.until(load.acknowledged.length + AFTER_KILL)
    await load.stop()
    acknowledged.push(...load.acknowledged)
    const interrupted = load.acknowledged.filter((order) => order.wasInterrupted)
    expect(interrupted).not.toEqual([])
    const trades = await assertExactJournal(() => server.openDatabase(), acknowledged)
    await assertSameAnswerAgain(interrupted)
    say(`${load.acknowledged.length} orders, ${interrupted.length} of them repeated; ${trades} trades stand`)
  },
)

/** Calls `kill` while at least one trade is written but not committed. */
async function whileOneCommits(kill: () => Promise<void>): Promise<void> {
  const database = server.openDatabase()
  const holder = await database.pool.connect()
  holder.on('error', () => {})
  await holder.query('select pg_advisory_lock($1)', [COMMIT_LOCK])
  const waiting = sql`select from pg_locks where locktype = 'advisory' and objid = ${COMMIT_LOCK} and not granted`
  await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBeGreaterThan(0)
  await kill()
  // Release the lock: PostgreSQL now commits a waiting trade if it survived, but the caller gets no response.
  holder.release(true)
  await database.close()
}

/** Repeats each order and expects its first response. The next round's check of the journal finds any second trade. */
async function assertSameAnswerAgain(orders: readonly Acknowledged[]): Promise<void> {
  for (const { player, order, key, trade } of orders) {
    const { status, body } = await player.order(order, key)
    assert.deepEqual({ status, trade: Object(body).trade }, { status: 200, trade })
  }
}
