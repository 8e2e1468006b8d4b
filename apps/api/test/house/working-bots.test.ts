import { CHARACTERS, STRATEGIES } from '@papermoon/bots'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { findHouseBots, retireHouseBots } from '../../src/house/house-bots.ts'
import { readBags, readTokenStarts } from '../../src/house/market-start.ts'
import { WorkingBots, type WorkOptions } from '../../src/house/working-bots.ts'
import { shareTestServer } from '../support/test-server.ts'

const SOON = { timeout: 120_000, interval: 50 }

let bots: WorkingBots
const server = await shareTestServer({ hasJobs: true })
await createHouseBots(server.db, CHARACTERS, { at: new Date() })
const player = await server.player()
for (const symbol of ['ONE', 'TWO', 'THREE']) {
  const launch = { name: symbol, symbol, initialBuyAmount: '1' }
  expect((await player.post('/api/tokens/launch', launch)).statusCode).toBe(201)
}
afterEach(() => bots.stop())

function start(options: WorkOptions = {}): void {
  bots = new WorkingBots(server.app, { looksPerSecond: 80, retiringMs: 1, ...options })
  bots.keepWorking()
}

async function countTrades(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from trades t join users u on u.id = t.user_id where u.kind = 'house'`.execute(server.db)
  return rows[0]?.n ?? 0
}

async function expectTrades(more: number): Promise<void> {
  const before = await countTrades()
  await expect.poll(countTrades, SOON).toBeGreaterThanOrEqual(before + more)
}

describe('the running house bots', () => {
  it('trade, are marked as bots, and continue from the database after a restart', async () => {
    const marks: boolean[] = []
    const detach = server.app.live.feed.onEvent((event) => {
      if (event.type === 'trade') marks.push(event.trade.isBot)
    })
    const starts = await readTokenStarts({ db: server.db, fairId: null, speed: 1 }, null)
    expect(starts.map(({ creatorTokens = 0 }) => Math.floor(creatorTokens / 1e6))).toEqual([32, 32, 32])
    start()
    await expectTrades(15)
    await bots.stop()
    start()
    // Wait for fewer trades than before, because the bots have nearly used up what they may risk in three tokens.
    await expectTrades(5)
    detach()
    expect(new Set(marks)).toEqual(new Set([true]))
    expect((await auditMarket(server.database.pool)).shown).toEqual([])
  })

  it('notice trades of a token that they did not follow', { tags: 'nightly' }, async () => {
    const player = await server.player()
    const launched = await player.post('/api/tokens/launch', { name: 'Old', symbol: 'OLD', initialBuyAmount: '1' })
    const { id } = launched.json()
    const hide = (isHidden: boolean) =>
      sql`update tokens set hidden_at = ${isHidden ? new Date() : null} where id = ${id}`.execute(server.db)
    await hide(true)
    start()
    await expectTrades(1)
    await hide(false)
    const isTradedByBots = async () => {
      expect((await player.post('/api/tokens/buy', { tokenId: id, solAmount: '0.1' })).statusCode).toBe(200)
      const { rows } = await sql<{ some: boolean }>`
        select exists (select from trades t join users u on u.id = t.user_id
          where u.kind = 'house' and t.token_id = ${id}) as some`.execute(server.db)
      return rows[0]?.some
    }
    await expect.poll(isTradedByBots, { ...SOON, interval: 1_000 }).toBe(true)
  })

  it('risk more in sealed tokens than in others, in existing and in new ones', {
    tags: 'nightly',
  }, async () => {
    const player = await server.player()
    const launch = async (symbol: string): Promise<number> => {
      const seal = { term: 'day', bag: true }
      const terms = { name: symbol, symbol, initialBuyAmount: '1', seal }
      return (await player.post('/api/tokens/launch', terms)).json().id
    }
    const sumBought = async (id: number) => {
      const { rows } = await sql<{ sol: number }>`
        select sol_reserve::float8 - 31 as sol from pools where token_id = ${id}`.execute(server.db)
      return rows[0]?.sol
    }
    const before = await launch('KEPT')
    start()
    await expect.poll(() => sumBought(before), SOON).toBeGreaterThan(1)
    const after = await launch('KEPTTOO')
    await expect.poll(() => sumBought(after), SOON).toBeGreaterThan(1)
  })

  it('continue if one of them fails, which then pauses longer each time', { tags: 'nightly' }, async () => {
    const breaks = () => {
      throw new Error('no idea')
    }
    start({ strategies: { ...STRATEGIES, momentum: breaks } })
    const toPauses = () =>
      Map.groupBy(
        server.logs.filter(({ msg }) => msg === 'a bot of the house broke; it rests') as unknown as Rest[],
        ({ userId }) => userId,
      )
    await expect
      .poll(() => Math.max(0, ...[...toPauses().values()].map(({ length }) => length)), SOON)
      .toBeGreaterThanOrEqual(3)
    await expectTrades(3)
    const [first] = [...toPauses().values()].filter(({ length }) => length >= 3)
    expect(first?.slice(0, 3).map(({ pauseMs }) => pauseMs)).toEqual([1_000, 2_000, 4_000])
  })

  it('pause longer each time that they cannot start', async () => {
    await sql`alter table rugs rename to rugs_away`.execute(server.db)
    const toPauses = () =>
      server.logs.flatMap((line) => {
        const { msg, pauseMs } = line as unknown as Rest & { readonly msg: string }
        return msg === 'the bots of the house ended; they start again' ? [pauseMs] : []
      })
    try {
      start()
      const countFailures = () => {
        bots.keepWorking()
        return toPauses().length
      }
      await expect.poll(countFailures, SOON).toBeGreaterThanOrEqual(3)
    } finally {
      await sql`alter table rugs_away rename to rugs`.execute(server.db)
    }
    expect(toPauses().slice(0, 3)).toEqual([1_000, 2_000, 4_000])
  })

  it('leave out a bot that an operator has retired', async () => {
    start()
    await expectTrades(1)
    await bots.stop()
    const [bot] = await findHouseBots(server.db)
    await retireHouseBots(server.db, [bot?.id as UserId])
    start()
    await expectTrades(10)
    const { rows } = await sql<{ standing: string }>`
      select distinct u.standing from trades t join users u on u.id = t.user_id
       where u.kind = 'house' and t.id > (select max(id) - 10 from trades)`.execute(server.db)
    expect(rows).toEqual([{ standing: 'active' }])
  })

  it('sell everything and leave', { tags: 'nightly' }, async () => {
    start()
    await expectTrades(3)
    bots.retire()
    await expect.poll(() => bots.hasRetired, SOON).toBe(true)
    const retired = new Set(
      (await findHouseBots(server.db)).flatMap(({ id, status }) => (status === 'frozen' ? [id] : [])),
    )
    // Rugged tokens cannot be sold, and neither can a creator's sealed tokens.
    const { rows: sellable } = await sql<{ token_id: number; creator_id: number; sealed: number }>`
      select p.token_id, t.creator_id, case when p.bag_sealed_until > now() then p.bag_sealed_tokens else 0 end::float8 as sealed
        from pools p join tokens t on t.id = p.token_id where p.rugged_at is null`.execute(server.db)
    const left = (await readBags({ db: server.db, fairId: null, speed: 1 })).filter(({ userId, tokenId, amount }) => {
      const token = sellable.find(({ token_id }) => token_id === tokenId)
      const sealed = token?.creator_id === userId ? token.sealed : 0
      return token !== undefined && !retired.has(userId as UserId) && amount - sealed > 1
    })
    expect(left).toEqual([])
    expect((await auditMarket(server.database.pool)).shown).toEqual([])
  })
})

interface Rest {
  readonly userId: number
  readonly pauseMs: number
}
