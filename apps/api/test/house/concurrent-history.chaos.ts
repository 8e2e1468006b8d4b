import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import type { MarketEvent } from '@papermoon/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { beginDemoWorld } from '../../src/house/demo-world.ts'
import { writeDemoWorld } from '../../src/house/write-demo-world.ts'
import { createTestServer, registration, type TestServer } from '../support/test-server.ts'

let database: TestDatabase
let server: TestServer
beforeEach(async () => {
  database = await createTestDatabase()
  await beginDemoWorld(database.db, 21)
  server = await createTestServer({ database })
})
afterEach(() => server.close())

describe('a history written while a server runs', () => {
  it('keeps players and trades created meanwhile, and every sum stays exact', async () => {
    const ada = server.visitor()
    await ada.post('/api/auth/register', { ...registration('ada'), username: 'Calm Clam' })
    const writing = writeDemoWorld(database, Date.now())
    const { id } = (
      await ada.post('/api/tokens/launch', { name: 'Mine', symbol: 'MINE', initialBuyAmount: '1' })
    ).json()
    const grace = await server.player('grace')
    for (let i = 0; i < 10; i++) {
      const { statusCode } = await grace.post('/api/tokens/buy', { tokenId: id, solAmount: '0.1' })
      expect(statusCode).toBe(200)
    }
    // One of 31 bots is missing, because a player already has its name.
    expect(await writing).toMatchObject({ bots: 30 })
    await server.app.market.history.refresh()
    const list = (await ada.get('/api/tokens')).json<{ id: number; name: string }[]>()
    expect(list.length).toBeGreaterThan(35)
    expect(list[0]).toMatchObject({ id, name: 'Mine' })
    const bought = await grace.post('/api/tokens/buy', { tokenId: list.at(-1)?.id, solAmount: '1' })
    expect(bought.statusCode).toBe(200)
    expect(await auditMarket(database.pool)).toMatchObject({ differences: 0 })
  })

  it('is shown at once, without an event for each trade, and later trades arrive live', async () => {
    const visitor = server.visitor()
    const isSettingUp = async () => (await visitor.get('/api/site')).json<{ isSettingUp: boolean }>().isSettingUp
    expect((await visitor.get('/api/tokens')).json()).toEqual([])
    expect((await visitor.get('/api/tokens?sort=mcap-high')).json()).toEqual([])
    expect(await isSettingUp()).toBe(true)
    const events: MarketEvent[] = []
    server.app.live.feed.onEvent((event) => events.push(event))
    await writeDemoWorld(database, Date.now())
    // The server finds the history when it polls the journal, like any other node.
    await expect.poll(isSettingUp).toBe(false)
    const [token] = (await visitor.get('/api/tokens?sort=mcap-high')).json<{ id: number; seq: number }[]>()
    expect(token?.seq).toBeGreaterThan(100)
    expect(events).toEqual([])
    const ada = await server.player()
    await ada.post('/api/tokens/buy', { tokenId: token?.id, solAmount: '1' })
    await expect.poll(() => events).toHaveLength(1)
    expect(events[0]).toMatchObject({ tokenId: token?.id, seq: (token?.seq ?? 0) + 1 })
  })
})
