import { createTestDatabase } from '@papermoon/db/testing'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'
import { WrittenHistory } from '../../src/events/written-history.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

it('has every answer read again once, and is no news', async () => {
  const { pool, db } = database
  await pool.query('delete from demo_world')
  const noteChange = vi.fn<() => void>()
  const history = new WrittenHistory({ db, feed: { noteChange }, world: null, hasDemoWorld: false })
  await history.refresh()
  expect(noteChange).not.toHaveBeenCalled()
  await pool.query(`insert into demo_world (state, seed, began_at, written_at) values ('running', 1, now(), now())`)
  for (let looks = 0; looks < 2; looks++) await history.refresh()
  expect(noteChange).toHaveBeenCalledOnce()
})

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
