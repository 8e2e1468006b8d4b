import type { TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { JournalPages } from '../../src/events/journal-pages.ts'
import { insertTrades } from '../support/insert-trades.ts'

const feed = { visibility: 0 }
const market = await createTestMarket()
afterAll(() => market.close())
let player: UserId
let tokenId: TokenId
let pages: JournalPages
/** Queries begun by the pages. */
let queries = 0
let failures = 0
let nowMs = Date.now()
beforeEach(async () => {
  player = await market.addPlayer()
  tokenId = await market.launch(player)
  queries = 0
  failures = 0
  feed.visibility = 0
  pages = new JournalPages({ db: countQueries(market.db), feed, clock: { now: () => new Date(nowMs) } })
})

function countQueries(db: TestMarket['db']): TestMarket['db'] {
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'selectFrom') {
        queries++
        if (failures-- > 0) throw new Error('connection refused')
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const read = (after: number, through: number) => pages.read({ tokenId, after, through })
const readSeqs = async (after: number, through: number) => (await read(after, through)).map(({ seq }) => seq)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('pages of the journal', () => {
  it('hold the events of the range, up to the end of the page', async () => {
    await insertTrades(market.db, tokenId, [1, 700])
    expect(await readSeqs(0, 700)).toEqual(range(1, 500))
    expect(await readSeqs(120, 130)).toEqual(range(121, 130))
    expect(await readSeqs(500, 700)).toEqual(range(501, 700))
    expect(await readSeqs(650, 690)).toEqual(range(651, 690))
  })

  it('are read once for all subscribers that resume at the same time', async () => {
    await insertTrades(market.db, tokenId, [1, 500])
    const all = await Promise.all(range(0, 99).map((after) => readSeqs(after, 500)))
    expect(all).toEqual(range(0, 99).map((after) => range(after + 1, 500)))
    expect(queries).toBe(1)
    await read(7, 400)
    expect(queries).toBe(1)
  })

  it('are extended from their end after new trades of the token', async () => {
    await insertTrades(market.db, tokenId, [1, 10])
    const [first] = await read(0, 10)
    await insertTrades(market.db, tokenId, [11, 20])
    const grown = await read(0, 20)
    expect(grown.map(({ seq }) => seq)).toEqual(range(1, 20))
    expect(grown[0]).toBe(first)
    const later = Promise.all([readSeqs(18, 20), readSeqs(0, 20)])
    expect(await later).toEqual([range(19, 20), range(1, 20)])
  })

  it('end with the rug pull', async () => {
    await insertTrades(market.db, tokenId, [1, 499])
    await sql`insert into rugs (token_id, seq, user_id, amount, created_at, hash)
      values (${tokenId}, 500, ${player}, 1, now(), sha256(''))`.execute(market.db)
    const events = await read(0, 500)
    expect(events).toHaveLength(500)
    expect(events.at(-1)).toMatchObject({ type: 'rug_pull', seq: 500 })
  })

  it('are cleared when an account is deleted, even during a read', async () => {
    await insertTrades(market.db, tokenId, [1, 3])
    const rename = (name: string) =>
      market.db.updateTable('users').set({ username: name }).where('id', '=', player).execute()
    await read(0, 3)
    await rename('second')
    expect(await read(0, 3)).not.toMatchObject([{ trade: { username: 'second' } }, {}, {}])
    feed.visibility++
    const underWay = read(0, 3)
    pages.clear()
    await underWay
    await rename('third')
    expect(await read(0, 3)).toMatchObject([{ trade: { username: 'third' } }, {}, {}])
  })

  it('are read again after five minutes, however often they grew', async () => {
    await insertTrades(market.db, tokenId, [1, 1])
    const [first] = await read(0, 1)
    nowMs += 200_000
    await insertTrades(market.db, tokenId, [2, 2])
    expect((await read(0, 2))[0]).toBe(first)
    nowMs += 100_001
    expect((await read(0, 2))[0]).not.toBe(first)
  })

  it('are not cached when the database is unreachable', async () => {
    await insertTrades(market.db, tokenId, [1, 5])
    failures = 1
    await expect(Promise.all([read(0, 5), read(2, 5)])).rejects.toThrow('connection refused')
    expect(await readSeqs(0, 5)).toEqual(range(1, 5))
  })

  it('skip a gap in the journal', async () => {
    await insertTrades(market.db, tokenId, [1, 3])
    await insertTrades(market.db, tokenId, [9, 9])
    expect(await readSeqs(3, 8)).toEqual([])
    expect(await readSeqs(3, 9)).toEqual([9])
  })
})
