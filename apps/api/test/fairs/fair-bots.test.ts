// @module-tag nightly
import { CHARACTERS } from '@papermoon/bots'
import { FAIR_LAUNCHES_MAX } from '@papermoon/contract/fair-tokens'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { startFairBots } from '../../src/house/fair-bots.ts'
import type { PeriodicJob } from '../../src/lib/periodic-job.ts'
import { ageAccount } from '../support/moderators.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const SOON = { timeout: 120_000, interval: 50 }
const JSON_TYPE = { 'content-type': 'application/json' }

let host: Visitor
const nodes: PeriodicJob[] = []
const server = await shareTestServer({ hasJobs: true })
// This bot trades only through its API key, which an operator uses.
const HIRED = { name: 'Hired Hand', emoji: '🤝', about: 'Somebody else runs me.' }
for (const bots of [CHARACTERS, [HIRED]]) await createHouseBots(server.db, bots, { at: new Date() })
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
  await sql`update fairs set bell_at = now() where state = 'open' and id > 1`.execute(server.db)
})

function startNode(): PeriodicJob {
  const node = startFairBots({ app: server.app, pool: server.database.pool, writeLine: async () => {} })
  nodes.push(node)
  return node
}

/** Creates a room with a new host, and starts it. */
async function openRoom(settings: object): Promise<number> {
  host = await server.player()
  await ageAccount(server, host)
  const created = await host.post('/api/fairs', { kind: 'room', name: 'With bots', minutes: 15, ...settings })
  expect([created.statusCode, created.body]).toEqual([201, created.body])
  const { id } = created.json().fair
  await host.post(`/api/fairs/${id}/enter`, {})
  const opened = await host.raw('PUT', `/api/fairs/${id}`, JSON.stringify({ act: 'start' }), JSON_TYPE)
  expect(opened.statusCode).toBe(200)
  return id
}

interface Traded {
  readonly trades: number
  readonly traders: number
  readonly tokens: number
}

async function countTraded(fairId: number): Promise<Traded> {
  const { rows } = await sql<Traded>`
    select count(*)::int as trades, count(distinct x.user_id)::int as traders, count(distinct t.id)::int as tokens
      from fairs.tokens t join fairs.trades x on x.token_id = t.id join users u on u.id = x.user_id
     where t.fair_id = ${fairId} and u.kind = 'house'`.execute(server.db)
  return rows[0] as Traded
}

const countTrades = async (fairId: number) => (await countTraded(fairId)).trades
const readFair = async (id: number) => (await host.get(`/api/fairs/${id}`)).json()

describe('house bots in a fair', () => {
  it('trade the house’s tokens with their stake, without outside calls, and place no orders in the fairground', async () => {
    const id = await openRoom({ bots: 8, launches: 'nobody' })
    expect((await readFair(id)).bots).toBe(8)
    const before = await sql`select user_id, sol_balance from accounts order by user_id`.execute(server.db)
    startNode()
    const isAlive = ({ trades, traders, tokens }: Traded) => trades > 8 && traders > 2 && tokens > 1
    await expect.poll(async () => isAlive(await countTraded(id)), SOON).toBe(true)
    const { entrants, sum } = (await host.get(`/api/fairs/${id}/ranking`)).json()
    expect(entrants.map(({ username }: { username: string }) => username)).not.toContain('Hired Hand')
    expect(sum.stakes).toBe('900')
    const after = await sql`select user_id, sol_balance from accounts order by user_id`.execute(server.db)
    expect(after.rows).toEqual(before.rows)
    expect((await sql`select id from trades`.execute(server.db)).rows).toEqual([])
  })

  it('trade tokens that a player launches in their fair, and not those of other fairs', async () => {
    const [id, other] = [await openRoom({ bots: 8 }), await openRoom({ bots: 0 })]
    const fairs = [
      [id, 8],
      [other, 0],
    ]
    for (const [fairId, bots] of fairs) {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from fairs.accounts a join users u on u.id = a.user_id
         where a.fair_id = ${fairId} and u.kind = 'house'`.execute(server.db)
      expect(rows[0]?.n).toBe(bots)
    }
    startNode()
    await sql`insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
      select ${id}, user_id, 100, 100 from fairs.accounts a join users u on u.id = a.user_id
       where fair_id = ${other} and u.kind = 'player'`.execute(server.db)
    const launch = { name: 'Paper Star', symbol: 'STAR', emoji: '⭐' }
    const elsewhere = await host.post('/api/tokens/launch', { ...launch, fairId: other, initialBuyAmount: '5' })
    // Launch several tokens, because the few bots may ignore one of them.
    const here: number[] = []
    for (let number = 1; number <= FAIR_LAUNCHES_MAX; number++) {
      const own = { ...launch, symbol: `STAR${number}`, fairId: id, initialBuyAmount: '5' }
      here.push((await host.post('/api/tokens/launch', own)).json().id)
    }
    expect([elsewhere.statusCode, here.every(Number.isInteger)]).toEqual([201, true])
    const countBuys = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from fairs.trades x join users u on u.id = x.user_id
         where x.token_id = any(${here}::int[]) and u.kind = 'house'`.execute(server.db)
      return rows[0]?.n
    }
    await expect.poll(countBuys, SOON).toBeGreaterThan(3)
    expect(await countTrades(other)).toBe(0)
  })

  it('are run by one node, and by another one when that node stops', async () => {
    const id = await openRoom({ bots: 6, launches: 'nobody' })
    const first = startNode()
    await expect.poll(() => countTrades(id), SOON).toBeGreaterThan(0)
    const second = startNode()
    const { rows } = await sql<{ holders: number }>`
      select count(*)::int as holders from pg_locks where locktype = 'advisory' and granted and objid = 727466015
        and database = (select oid from pg_database where datname = current_database())`.execute(server.db)
    expect(rows).toEqual([{ holders: 1 }])
    await first.stop()
    const before = await countTrades(id)
    await expect.poll(() => countTrades(id), SOON).toBeGreaterThan(before)
    await second.stop()
  })

  it('stop at the bell, and then no node holds their lock', async () => {
    const id = await openRoom({ bots: 6, launches: 'nobody' })
    startNode()
    await expect.poll(() => countTrades(id), SOON).toBeGreaterThan(0)
    await host.raw('PUT', `/api/fairs/${id}`, JSON.stringify({ act: 'end' }), JSON_TYPE)
    const countHolders = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = 727466015
          and database = (select oid from pg_database where datname = current_database())`.execute(server.db)
      return rows[0]?.n
    }
    await expect.poll(countHolders, SOON).toBe(0)
    await expect.poll(async () => (await readFair(id)).state, SOON).toBe('settled')
    const { rows } = await sql<{ late: number }>`
      select count(*)::int as late from fairs f join fairs.tokens t on t.fair_id = f.id join fairs.trades x on x.token_id = t.id
       where f.id = ${id} and x.created_at > f.bell_at`.execute(server.db)
    expect(rows[0]?.late).toBe(0)
  })

  it('cannot enter a cup, and a room gets none if the database has none', async () => {
    host = await server.player()
    const cup = await host.post('/api/fairs', { kind: 'cup', name: 'For programs', bots: 3 })
    expect([cup.statusCode, cup.body]).toEqual([400, expect.stringContaining('bots must be 0 in a cup')])
    const hasHouseBots = async () => (await host.get('/api/fairs')).json().houseBots
    expect(await hasHouseBots()).toBe(true)
    await sql`update users set standing = 'frozen' where kind = 'house'`.execute(server.db)
    try {
      expect(await hasHouseBots()).toBe(false)
      const id = await openRoom({ bots: 5, launches: 'nobody' })
      const { bots, entrants } = await readFair(id)
      expect([bots, entrants]).toEqual([0, 1])
    } finally {
      await sql`update users set standing = 'active' where kind = 'house'`.execute(server.db)
    }
  })
})
