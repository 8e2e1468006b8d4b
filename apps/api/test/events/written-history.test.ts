import type { TokenId } from '@papermoon/contract/ids'
import { createTestDatabase } from '@papermoon/db/testing'
import { systemTimers } from '@papermoon/engine'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { readHeads } from '../../src/events/journal.ts'
import { LiveFeed } from '../../src/events/live-feed.ts'
import { startJournalPoll, startLiveFeed } from '../../src/events/start-live-feed.ts'
import { WrittenHistory } from '../../src/events/written-history.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

it('is adopted with its seals, which nobody hears of as news', async () => {
  const market = await createTestMarket()
  const { db } = market
  const [bot, player] = [await market.addPlayer(), await market.addPlayer()]
  await db.updateTable('users').set({ kind: 'house' }).where('id', '=', bot).execute()
  const tokens = [await market.launch(bot), await market.launch(player)]
  const sealAll = (term: 'day' | 'week') =>
    Promise.all(
      [bot, player].map((userId, i) =>
        market.engine.submit({ kind: 'seal', userId, tokenId: tokens[i] as TokenId, term, bag: false }),
      ),
    )
  await sealAll('day')
  const at = sql<Date>`clock_timestamp()`
  await db.insertInto('demo_world').values({ state: 'running', seed: 1, began_at: at, written_at: at }).execute()
  const log = pino({ level: 'silent' })
  const feed = new LiveFeed({ db, log, seqs: [] })
  const heard: unknown[] = []
  feed.onEvent(({ type, tokenId }) => heard.push([type, tokenId]))
  // A feed from before all of it.
  const heads = { ...(await readHeads(db)), tokenId: 0, entry: 0 }
  const history = new WrittenHistory({ db, feed, world: null, hasDemoWorld: false })
  const poll = async () => {
    const stream = { mark: () => 0, settle: () => undefined, add: () => undefined, readBlocks: async () => {} }
    await startJournalPoll({ db, timers: systemTimers, log, feed, stream, history, heads })()
  }
  await poll()
  expect(heard).toEqual([
    ['token_launched', tokens[1]],
    ['seal', tokens[1]],
  ])
  await sealAll('week')
  await poll()
  expect(heard.slice(2)).toEqual(tokens.map((tokenId) => ['seal', tokenId]))
  await market.close()
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
