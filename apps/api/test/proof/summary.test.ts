import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { QueryCache } from '../../src/cache/query-cache.ts'
import { runAudit } from '../../src/features/audit/run-audit.ts'
import { getSummary } from '../../src/features/proof/summary.ts'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

let server: TestServer
let player: Visitor
let tokenId: number
beforeEach(async () => {
  server = await createTestServer({ hasJobs: false })
  player = await server.player()
  tokenId = await player.launch({ initialBuyAmount: '1' })
  await player.launch()
})
afterEach(() => server.close())

/** Longer than any summary is cached, however long it took to compute. */
const KEPT_MAX_MS = 12 * 60_000

/** Returns a new summary instead of a cached one. */
async function summary() {
  server.passTime(KEPT_MAX_MS)
  return (await server.visitor().get('/api/audit')).json()
}

describe('the public audit', () => {
  it('shows where every lamport and every token is', async () => {
    expect(await summary()).toMatchObject({
      granted: '100',
      grants: { register: '100', reset: '0', house: '0' },
      balances: '98.96',
      pools: '0.997',
      treasury: '0.043',
      difference: '0',
      isExact: true,
      tokens: { count: 2, exact: 2, wrong: [] },
      lastReplay: null,
    })
    await player.post(`/api/tokens/${tokenId}/rug`, {})
    expect(await summary()).toMatchObject({ balances: '99.957', pools: '0', isExact: true })
  })

  it('shows a surplus lamport and a token with a wrong supply', async () => {
    await sql`update accounts set sol_balance = sol_balance + 0.000000001`.execute(server.db)
    await sql`update holdings set amount = amount - 0.000001 where token_id = ${tokenId}`.execute(server.db)
    expect(await summary()).toMatchObject({
      difference: '-0.000000001',
      isExact: false,
      tokens: { count: 2, exact: 1, wrong: [tokenId] },
    })
  })

  it('shows grants of the house separately', async () => {
    const before = await summary()
    await createHouseBots(server.db, [{ name: 'Owl', emoji: '🦉', about: 'I wait.' }], {
      at: server.app.platform.clock.now(),
    })
    const after = await summary()
    expect(after.grants).toEqual({ ...before.grants, house: '1000' })
    expect([after.granted, after.difference]).toEqual(['1100', before.difference])
  })

  it('names tokens without a pool, but no more than twenty', async () => {
    await sql`insert into tokens (creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at)
      select creator_id, name, symbol, emoji, supply, launch_price, 0, now() from tokens, generate_series(1, 15)`.execute(
      server.db,
    )
    const { tokens } = await summary()
    expect(tokens).toMatchObject({ count: 32, exact: 2 })
    expect(tokens.wrong).toHaveLength(20)
  })

  it.each([
    ['is computed once for all callers for seconds', 0, 5_000],
    ['is cached ten times as long as it took, so that a large market is not summed all the time', 6_000, 60_000],
  ])('%s', async (_, tookMs, cachedMs) => {
    let nowMs = Date.parse('2026-01-05T12:00:00Z')
    let passesMs = tookMs
    // The caller and the check each read the clock once, so the check seems to take `tookMs`.
    const clock = {
      now: () => {
        const now = new Date(nowMs)
        nowMs += passesMs
        return now
      },
    }
    const app = {
      platform: { db: server.db, clock },
      market: { queryCache: new QueryCache({ feed: server.app.live.feed, clock }) },
    }
    const before = await getSummary(app)
    await sql`update accounts set sol_balance = sol_balance + 1`.execute(server.db)
    passesMs = 0
    nowMs = Date.parse(before.checkedAt) + cachedMs - 1
    expect(await getSummary(app)).toBe(before)
    nowMs += 1
    expect((await getSummary(app)).isExact).toBe(false)
  })

  it('shows when the journal was last replayed, up to which entry, and the result', async () => {
    const { id } = await server.db.selectFrom('trades').select('id').executeTakeFirstOrThrow()
    await runAudit(server.database)
    const { lastReplay } = await summary()
    expect(lastReplay).toMatchObject({ tradeId: id, trades: 1, tokens: 2, players: 1, differences: 0 })
    await sql`update trades set fee = 0`.execute(server.db)
    await runAudit(server.database)
    expect((await summary()).lastReplay.differences).toBeGreaterThan(0)
  })
})
