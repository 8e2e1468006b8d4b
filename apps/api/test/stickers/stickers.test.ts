import type { UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findEarned } from '../../src/features/stickers/find-earned.ts'
import { giveSome } from '../../src/features/stickers/give-stickers.ts'
import { STICKERS } from '../../src/features/stickers/sticker-list.ts'
import { generator, tradeAtRandom } from '../support/random-trading.ts'

const NODE = '00000000-0000-4000-8000-000000000001'
const SEED = Number(process.env.TEST_SEED) || 25
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let market: TestMarket
let now: number
beforeEach(async () => {
  // The clock starts three days ago, so that the test's trades are more than a day old.
  now = Date.now() - 3 * DAY_MS
  market = await createTestMarket({ clock: { now: () => new Date(now) } })
  await sql`update notice_position set holder = ${NODE}`.execute(market.db)
})
afterEach(() => market.close())

/** Moves the notices' position in the journal to an entry, or to the end of the journal. */
async function follow(entry?: number): Promise<void> {
  await sql`
    update notice_position set trade_id = coalesce(${entry ?? null}::bigint, (select position from journal))`.execute(
    market.db,
  )
}

async function giveAll(): Promise<void> {
  await follow()
  while (!(await giveSome(market.db, NODE)).isDone);
}

const readGiven = async () =>
  await market.db.selectFrom('stickers').selectAll().orderBy('user_id').orderBy('sticker').execute()

const stickersOf = async (userId: UserId): Promise<string[]> =>
  (await readGiven()).filter((row) => row.user_id === userId).map((row) => row.sticker)

/** Returns all stickers that the whole journal earns, computed as if none had been given. */
async function recompute() {
  return await market.db.transaction().execute(async (tx) => {
    const given = await tx.deleteFrom('stickers').returningAll().execute()
    const all = { after: 0, through: Number.MAX_SAFE_INTEGER }
    const found = await findEarned(tx, {
      entries: all,
      dayOld: all,
      closedAfter: new Date(0),
    })
    if (given.length > 0) await tx.insertInto('stickers').values(given).execute()
    return found.sort((a, b) => a.user_id - b.user_id || (a.sticker < b.sticker ? -1 : 1))
  })
}

const amountOf = async (userId: UserId, tokenId: number): Promise<string> =>
  (
    await market.db
      .selectFrom('holdings')
      .select('amount')
      .where('user_id', '=', userId)
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow()
  ).amount

/** Returns how many rows of `seals` this connection has read so far. */
async function readSealReads(db: TestMarket['db']): Promise<unknown> {
  const { rows } = await sql`
    select seq_tup_read, idx_tup_fetch from pg_stat_xact_user_tables where relname = 'seals'`.execute(db)
  return rows
}

async function players(count: number): Promise<UserId[]> {
  const added = await Promise.all(Array.from({ length: count }, () => market.addPlayer()))
  return added.sort((a, b) => a - b)
}

describe('stickers', () => {
  it('do not depend on the step size, and equal those recomputed from the whole journal', async () => {
    const random = generator(SEED)
    let orders = 0
    await tradeAtRandom(market, {
      seed: SEED,
      orders: 900,
      onOrder: () => {
        now += random(5) === 0 ? random(40) * MINUTE_MS : random(20_000)
        orders++
      },
    })
    expect(orders).toBeGreaterThan(500)
    const { rows } = await sql<{ last: number }>`select max(id) as last from trades`.execute(market.db)
    const last = rows[0]?.last ?? 0
    await expectSamePositions(last)
    for (let entry = 0; entry < last; entry += 1 + random(120)) {
      await follow(entry)
      // Two nodes give stickers at once.
      await Promise.all([giveSome(market.db, NODE), giveSome(market.db, NODE)])
    }
    await giveAll()
    const given = await readGiven()
    expect(new Set(given.map((row) => row.sticker)).size).toBeGreaterThan(20)
    expect(given).toEqual(await recompute())
  })

  /**
   * Expects that stickers for positions are the same in steps and at once, for several limits on how many of the
   * player's trades the search looks back at.
   */
  async function expectSamePositions(last: number): Promise<void> {
    const find = async (entries: { after: number; through: number }, lookBack: number) => {
      const none = { after: 0, through: 0 }
      const found = await findEarned(market.db, { entries, dayOld: none, closedAfter: new Date() }, lookBack)
      return found.map(
        ({ user_id, sticker, seq, token_id }) => [`${user_id} ${sticker}`, `${token_id} ${seq}`] as const,
      )
    }
    const counts: number[] = []
    for (const lookBack of [3, 20, 10_000]) {
      const stepwise = new Map<string, string>()
      for (let after = 0; after < last; after += 97) {
        const step = await find({ after, through: Math.min(last, after + 97) }, lookBack)
        for (const [key, event] of step) if (!stepwise.has(key)) stepwise.set(key, event)
      }
      expect([...stepwise].sort()).toEqual((await find({ after: 0, through: last }, lookBack)).sort())
      counts.push(stepwise.size)
    }
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
    expect(new Set(counts).size).toBe(3)
  }

  it('are each announced once, and not if they were earned long ago', async () => {
    const [old, fresh] = (await players(2)) as [UserId, UserId]
    const tokenId = await market.launch(old)
    now = Date.now()
    await market.buy(fresh, tokenId, '1')
    await giveAll()
    await giveAll()
    const notices = await market.db.selectFrom('notices').select(['user_id', 'kind']).orderBy('user_id').execute()
    expect(notices).toEqual([old, fresh].map((user_id) => ({ user_id, kind: 'sticker' })))
    expect(await stickersOf(old)).toEqual(['buyers-1', 'first-launch'])
    const causes = await market.db.selectFrom('notice_causes').select(['key', 'detail']).execute()
    expect(causes.find(({ key }) => key.endsWith(` ${old}`))?.detail).toMatchObject({ id: 'buyers-1', more: 0 })
  })

  it('are given only by the node that follows the journal', async () => {
    const [player] = (await players(1)) as [UserId]
    await market.launch(player)
    await follow()
    expect(await giveSome(market.db, '00000000-0000-4000-8000-000000000002')).toMatchObject({ notified: 0 })
    expect(await readGiven()).toEqual([])
    await giveAll()
    expect(await stickersOf(player)).toEqual(['first-launch'])
  })

  it('continue after an entry that takes too long, and skip no other entry', async () => {
    const [creator, skipped, ...others] = (await players(8)) as [UserId, UserId, ...UserId[]]
    const tokenId = await market.launch(creator)
    for (const player of [skipped, ...others]) await market.buy(player, tokenId, '1')
    await follow()
    await market.db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 100`.execute(connection)
      const readEntry = async () =>
        (await connection.selectFrom('notice_position').select('sticker_entry').executeTakeFirstOrThrow()).sticker_entry
      // While the table is locked, every query of `seals` exceeds the statement timeout.
      await market.db.transaction().execute(async (tx) => {
        await sql`lock table seals`.execute(tx)
        let length: number | undefined
        for (let steps = 0; steps < 10 && (await readEntry()) < 2; steps++) {
          length = (await giveSome(connection, NODE, length)).nextLength
        }
        // The first two entries, the launch and the first buy, were skipped.
        expect(await readEntry()).toBe(2)
      })
      await sql`reset statement_timeout`.execute(connection)
    })
    await giveAll()
    expect(await stickersOf(skipped)).toEqual([])
    for (const player of others) expect(await stickersOf(player)).toContain('first-buy')
  })

  it('are not given to house bots', async () => {
    const [bot] = (await players(1)) as [UserId]
    await sql`update users set kind = 'house' where id = ${bot}`.execute(market.db)
    await market.buy(bot, await market.launch(bot), '1')
    await giveAll()
    expect(await readGiven()).toEqual([])
  })

  it('have different ids and names', () => {
    for (const key of ['id', 'name', 'rule'] as const) {
      expect(new Set(STICKERS.map((sticker) => sticker[key])).size).toBe(STICKERS.length)
    }
  })
})

describe('a rug', () => {
  it('gives stickers to its victims, to players who escaped, and to whoever rugs a rugger', async () => {
    const [first, second, escaped, other] = (await players(4)) as [UserId, UserId, UserId, UserId]
    const one = await market.launch(first)
    await market.buy(second, one, '6')
    await market.buy(escaped, one, '1')
    now += 10 * MINUTE_MS
    await market.sell(escaped, one, await amountOf(escaped, one))
    now += 30_000
    await market.engine.submit({ kind: 'rug', userId: first, tokenId: one })
    const two = await market.launch(second)
    await market.buy(first, two, '0.5')
    await market.buy(other, two, '0.5')
    await market.engine.submit({ kind: 'rug', userId: second, tokenId: two })
    await giveAll()
    expect(await stickersOf(second)).toEqual(expect.arrayContaining(['rugged', 'rugged-5', 'rugger', 'rugged-rugger']))
    expect(await stickersOf(first)).toEqual(expect.arrayContaining(['rugger', 'rugged']))
    expect(await stickersOf(first)).not.toContain('rugged-rugger')
    expect(await stickersOf(escaped)).toContain('escaped')
    expect(await stickersOf(escaped)).not.toContain('rugged')
    expect(await stickersOf(other)).toContain('rugged')
  })

  it('of a token that nobody else holds gives no sticker', async () => {
    const [lone] = (await players(1)) as [UserId]
    const tokenId = await market.launch(lone, '5')
    await market.engine.submit({ kind: 'rug', userId: lone, tokenId })
    await giveAll()
    expect(await stickersOf(lone)).toEqual(['first-buy', 'first-launch'])
  })
})

it('a kept promise needs a seal of at least a day, and five other buyers', async () => {
  const [creator, lone, ...crowd] = (await players(7)) as [UserId, UserId, ...UserId[]]
  const tokens = { crowded: await market.launch(creator), lonely: await market.launch(lone) }
  for (const player of crowd) await market.buy(player, tokens.crowded, '0.1')
  await market.buy(crowd[0] as UserId, tokens.lonely, '0.1')
  for (const [tokenId, userId] of [
    [tokens.crowded, creator],
    [tokens.lonely, lone],
  ]) {
    await sql`
      insert into seals (token_id, n, kind, seq, user_id, term, with_bag, until, created_at, hash)
      values (${tokenId}, 1, 'sealed', 1, ${userId}, 'day', false, ${new Date(now + DAY_MS)}, ${new Date(now)},
              sha256('seal'))`.execute(market.db)
  }
  await market.buy(crowd[0] as UserId, tokens.lonely, '0.1')
  await giveAll()
  expect(await stickersOf(creator)).toContain('first-seal')
  expect(await stickersOf(creator)).not.toContain('promise')
  await sql`update seals set ended_position = -position`.execute(market.db)
  await market.buy(crowd[0] as UserId, tokens.lonely, '0.1')
  await giveAll()
  expect(await stickersOf(creator)).toContain('promise')
  expect(await stickersOf(lone)).not.toContain('promise')
  expect(await readGiven()).toEqual(await recompute())
  // Seals from before the range are not read again.
  await market.db.transaction().execute(async (tx) => {
    // PostgreSQL would scan a table this small instead of using the index.
    await sql`set local enable_seqscan = off`.execute(tx)
    const later = { after: 1_000_000, through: 1_000_001 }
    const before = await readSealReads(tx)
    await findEarned(tx, { entries: later, dayOld: later, closedAfter: new Date(now) })
    expect(await readSealReads(tx)).toEqual(before)
  })
})

describe('the sticker for selling at the top', () => {
  it('is given a day after the sale, and only if others traded', async () => {
    const [creator, seller, late, ...crowd] = (await players(8)) as [UserId, UserId, UserId, ...UserId[]]
    const tokenId = await market.launch(creator)
    await market.buy(seller, tokenId, '0.1')
    for (const player of crowd) await market.buy(player, tokenId, '9')
    await market.sell(seller, tokenId, await amountOf(seller, tokenId))
    now += MINUTE_MS
    for (const player of crowd.slice(0, 4)) await market.sell(player, tokenId, await amountOf(player, tokenId))
    await market.buy(late, tokenId, '0.1')
    await giveAll()
    expect(await stickersOf(seller)).toContain('sold-top')
    expect(await stickersOf(crowd[0] as UserId)).not.toContain('sold-top')
  })

  it('is not given before the day is over', async () => {
    const [creator, seller, ...crowd] = (await players(8)) as [UserId, UserId, ...UserId[]]
    now = Date.now() - DAY_MS + 10 * MINUTE_MS
    const tokenId = await market.launch(creator)
    await market.buy(seller, tokenId, '0.1')
    for (const player of crowd) await market.buy(player, tokenId, '9')
    await market.sell(seller, tokenId, await amountOf(seller, tokenId))
    for (const player of crowd) await market.sell(player, tokenId, await amountOf(player, tokenId))
    await giveAll()
    expect(await stickersOf(seller)).not.toContain('sold-top')
    await sql`update trades set created_at = created_at - interval '1 hour'`.execute(market.db)
    await giveAll()
    expect(await stickersOf(seller)).toContain('sold-top')
  })
})

it('Held through −80% goes to whoever sells at twice the low, not to whoever sells at the low', async () => {
  const [creator, holder, weak, whale, late] = (await players(5)) as [UserId, UserId, UserId, UserId, UserId]
  const tokenId = await market.launch(creator)
  await market.buy(whale, tokenId, '95')
  await market.buy(holder, tokenId, '1')
  await market.buy(weak, tokenId, '1')
  await market.sell(whale, tokenId, await amountOf(whale, tokenId))
  await market.sell(weak, tokenId, await amountOf(weak, tokenId))
  await market.buy(late, tokenId, '60')
  await market.sell(holder, tokenId, await amountOf(holder, tokenId))
  await giveAll()
  expect(await stickersOf(holder)).toContain('held-80')
  expect(await stickersOf(weak)).not.toContain('held-80')
})

it('Stickers for arenas need a rank, four ranked players for a win, and metal for real gold', async () => {
  const ids = await players(9)
  /** Ends an arena with these players, the best one first. */
  const endArena = async (ranked: readonly UserId[], isPaper: boolean, unranked: readonly UserId[] = []) => {
    const { rows } = await sql<{ id: number }>`
      insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, settled_at, secret, entrants_max, state)
      values ('arena', 'Arena', 100, now() - random() * interval '1 day', now(), now(), now(), 'secret', 100, 'settled')
      returning id`.execute(market.db)
    await sql`
      insert into fair_results (fair_id, user_id, place, standing, score, is_ranked, is_bot, has_left, trades, medal, is_paper)
      select ${rows[0]?.id}, id, n, 100, 100, n <= ${ranked.length}, false, false, 1, case when n <= 3 then n end, ${isPaper}
        from unnest(${[...ranked, ...unranked]}::int[]) with ordinality as player (id, n)`.execute(market.db)
  }
  const [first, second, third, fourth, duel, rival, paper, late, never] = ids as [UserId, ...UserId[]] as UserId[]
  await endArena([first, second, third, fourth] as UserId[], false, [late] as UserId[])
  await endArena([duel, rival] as UserId[], true)
  await endArena([paper, second, third, fourth] as UserId[], true)
  await giveAll()
  const given = await Promise.all([first, duel, paper, fourth, late, never].map((id) => stickersOf(id as UserId)))
  expect(given).toEqual([['arena', 'arena-gold', 'arena-won'], ['arena'], ['arena', 'arena-won'], ['arena'], [], []])
  expect(await readGiven()).toEqual(await recompute())
})
