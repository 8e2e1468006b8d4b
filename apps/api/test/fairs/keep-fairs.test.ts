import { ManualTimers } from '@papermoon/engine/testing'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, it } from 'vitest'
import { checkFairs, createFairKeeper } from '../../src/features/fairs/keep-fairs.ts'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer()

const TICK_MS = 250

async function addFair(inMs: number): Promise<void> {
  await sql`
    insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, secret, entrants_max)
    values ('arena', ${`Arena in ${inMs}`}, 100, now() + ${inMs} * interval '1 ms', now() + ${inMs} * interval '1 ms',
      now() + interval '1 day', sha256(random()::text::bytea), 500)`.execute(server.db)
}

it('the fairs are looked at when something is due, when one was made, and rarely else', async () => {
  await addFair(3_600_000)
  let queries = 0
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { app } = server
  const timers = new ManualTimers()
  const platform = {
    ...app.platform,
    timers,
    db: app.platform.db.withPlugin(count),
    config: { ...app.platform.config, fairs: false },
  }
  const look = createFairKeeper({ ...app, platform })
  const { signal } = new AbortController()
  /** Counts the queries of some ticks. */
  const countQueries = async (ticks: number) => {
    queries = 0
    for (let n = 0; n < ticks; n++) {
      timers.pass(TICK_MS)
      await look(signal)
    }
    return queries
  }
  await look(signal)
  expect(await countQueries(28)).toBeLessThanOrEqual(4 * 2)
  await addFair(0)
  checkFairs(app)
  expect(await countQueries(1)).toBeGreaterThan(0)
})
