import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('is believed to be in work for some minutes by a server that does not make it', async () => {
  const isBeingWritten = async (agoMinutes: number, hasDemoWorld: boolean) => {
    const { pool, db } = database
    await pool.query('delete from demo_world')
    await pool.query(
      `insert into demo_world (state, seed, began_at) values ('writing', 1, now() - $1 * interval '1 minute')`,
      [agoMinutes],
    )
    const { history, stop } = await startLiveFeed({ db, log: pino({ level: 'silent' }), hasDemoWorld })
    await stop()
    return history.isBeingWritten
  }
  expect(await isBeingWritten(1, false)).toBe(true)
  expect(await isBeingWritten(10, false)).toBe(false)
  expect(await isBeingWritten(10, true)).toBe(true)
})
