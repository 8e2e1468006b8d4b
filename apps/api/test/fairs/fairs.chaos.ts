import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseClient } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiProcess, startApi } from '../chaos/support/api-process.ts'
import { type OwnPostgres, startOwnPostgres } from '../chaos/support/own-postgres.ts'
import { type RestPlayer, registerPlayer } from '../chaos/support/rest-player.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { createTestServer, type Visitor } from '../support/test-server.ts'

const SOON = { timeout: 60_000, interval: 100 }
const AWAY_MS = 20_000

let postgres: OwnPostgres
const apis: ApiProcess[] = []
let players: readonly RestPlayer[]
const folder = makeDataFolder()

const startNode = async () => {
  const api = await startApi({ DATABASE_URL: postgres.url, DATA_DIR: folder, FAIRS: 'off' })
  apis.push(api)
  return api
}
const killAll = async () => {
  await Promise.all(apis.splice(0).map((api) => api.end('SIGKILL')))
}

beforeAll(async () => {
  postgres = await startOwnPostgres()
  const { url } = await startNode()
  players = [await registerPlayer(url), await registerPlayer(url)]
})
afterAll(async () => {
  await killAll()
  await postgres.remove()
  removeDataFolder(folder)
})

async function query<Row>(text: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> {
  const database: DatabaseClient = postgres.openDatabase()
  try {
    return (await text.execute(database.db)).rows
  } finally {
    await database.close()
  }
}

/** An arena with both players in it that starts so many ms from now. */
async function addArena(inMs: number, minutes = 15): Promise<number> {
  const [row] = await query(sql<{ id: number }>`
    with fair as (
      insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, secret, entrants_max)
      values ('arena', 'Arena', 100, now(), now() + ${inMs} * interval '1 ms',
        now() + ${inMs} * interval '1 ms' + ${minutes} * interval '1 minute', sha256(random()::text::bytea), 500)
      returning id
    ), entrant as (
      insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
      select id, user_id, 100, 100 from fair, unnest(${players.map(({ id }) => id)}::int[]) as user_id
    )
    select id from fair`)
  return row?.id as number
}

interface SeenFair {
  readonly state: string
  readonly note: string | null
  readonly entrants: number
}

const readFair = async (id: number): Promise<SeenFair> => {
  const answer = await fetch(`${apis.at(-1)?.url}/api/fairs/${id}`)
  return (await answer.json()) as SeenFair
}
const readState = async (id: number) => (await readFair(id)).state

async function launchIn(id: number): Promise<number> {
  const answer = await fetch(`${apis.at(-1)?.url}/api/tokens/launch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: players[0]?.cookie ?? '' },
    body: JSON.stringify({ name: 'Paper Star', symbol: 'STAR', fairId: id }),
  })
  return ((await answer.json()) as { id: number }).id
}

/** Both players buy until a trade is refused since the fair has ended. Returns the ids of the trades that were answered. */
async function buyToTheEnd(tokenId: number): Promise<number[]> {
  const answered: number[] = []
  const buy = async ({ order }: RestPlayer) => {
    for (;;) {
      const at = apis.at(-1)?.url ?? 'http://127.0.0.1:9'
      const answer = await order({ tokenId, solAmount: '0.01' }, randomUUID(), at).catch(() => null)
      if (answer?.status === 200) answered.push((answer.body as { trade: { id: number } }).trade.id)
      else if (answer?.status === 409) return
      else await sleep(50)
    }
  }
  await Promise.all(players.map(buy))
  return answered
}

/** Lets the bell of an open fair fall so many ms from now, as if it had run since ten minutes ago, or so many. */
async function ringIn(id: number, ms: number, sinceMinutes = 10): Promise<void> {
  await query(sql`
    with fair as (
      update fairs set starts_at = now() - ${sinceMinutes} * interval '1 minute', bell_at = now() + ${ms} * interval '1 ms', lost_ms = 0
       where id = ${id} returning id, bell_at
    )
    update fairs.pools p set closes_at = bell_at from fair, fairs.tokens t where t.fair_id = fair.id and p.token_id = t.id`)
}

const findLate = (id: number) =>
  query(sql`
    select x.id from fairs.trades x join fairs.tokens t on t.id = x.token_id join fairs f on f.id = t.fair_id
     where f.id = ${id} and x.created_at > f.bell_at`)
const findTrades = async (tokenId: number) =>
  (await query(sql<{ id: number }>`select id from fairs.trades where token_id = ${tokenId}`)).map(({ id }) => id)
const findPlaces = async (id: number) =>
  (await query(sql<{ place: number }>`select place from fair_results where fair_id = ${id} order by place`)).map(
    ({ place }) => place,
  )

describe('a fair', () => {
  it('whose start the server misses by kill -9 begins late with its entrants, and says so', async () => {
    const id = await addArena(1_500)
    await sleep(1_000)
    await killAll()
    await sleep(7_000)
    await startNode()
    await expect.poll(() => readState(id), SOON).toBe('open')
    const { note, entrants } = await readFair(id)
    expect([note, entrants]).toEqual([
      expect.stringMatching(/^It began \d+ seconds late, because the server was down\.$/),
      2,
    ])
    expect(await launchIn(id)).toBeGreaterThanOrEqual(1_000_000_000)
  })

  it('whose start falls into an outage of the database begins late with its entrants, and says so', async () => {
    const id = await addArena(2_000)
    await postgres.kill()
    await sleep(AWAY_MS)
    await postgres.start()
    await expect.poll(() => readState(id).catch(() => 'away'), SOON).toBe('open')
    const { note, entrants } = await readFair(id)
    expect([note, entrants]).toEqual([
      expect.stringMatching(/^It began \d+ seconds late, because the server was down\.$/),
      2,
    ])
  })

  it('whose server is killed in the minute before the bell loses no answered trade, has none after it, and one result', async () => {
    const id = await addArena(0)
    await expect.poll(() => readState(id), SOON).toBe('open')
    const tokenId = await launchIn(id)
    await ringIn(id, 12_000)
    const buying = buyToTheEnd(tokenId)
    await sleep(1_500)
    await killAll()
    await startNode()
    const answered = await buying
    expect(answered.length).toBeGreaterThan(0)
    expect(await findTrades(tokenId)).toEqual(expect.arrayContaining(answered))
    await expect.poll(() => readState(id), SOON).toBe('settled')
    expect([await findLate(id), await findPlaces(id)]).toEqual([[], [1, 2]])
  })

  it('whose bell falls while the database is away has no trade after it, and its results once it is back', async () => {
    const id = await addArena(0)
    await expect.poll(() => readState(id), SOON).toBe('open')
    const tokenId = await launchIn(id)
    await ringIn(id, 4_000)
    const buying = buyToTheEnd(tokenId)
    await sleep(2_000)
    await postgres.kill()
    await sleep(AWAY_MS)
    await postgres.start()
    const answered = await buying
    expect(await findTrades(tokenId)).toEqual(expect.arrayContaining(answered))
    await expect.poll(() => readState(id).catch(() => 'away'), SOON).toBe('settled')
    expect([await findLate(id), await findPlaces(id)]).toEqual([[], [1, 2]])
  })

  it('that lost more than a tenth of its time is void, and says so', async () => {
    const id = await addArena(0)
    await expect.poll(() => readState(id), SOON).toBe('open')
    await ringIn(id, 25_000, 1)
    await killAll()
    await sleep(14_000)
    await startNode()
    await expect.poll(() => readState(id), SOON).toBe('void')
    expect((await readFair(id)).note).toMatch(/^It does not count, because the server was down for \d+ seconds\.$/)
  })
})

describe('two nodes whose clocks are a second apart', () => {
  it('take no trade after the bell, and answer none that is not kept', async () => {
    const database = await createTestDatabase()
    const clockOf = (ms: number) => ({ now: () => new Date(Date.now() + ms) })
    const first = await createTestServer({ database, clock: clockOf(500) })
    const second = await createTestServer({ database: { ...database, drop: async () => {} }, clock: clockOf(-500) })
    try {
      const host = await first.player('host')
      const guest = second.visitor()
      guest.cookie = host.cookie
      const { fair } = (await host.post('/api/fairs', { kind: 'room', name: 'Two clocks', minutes: 30 })).json()
      const { id } = fair
      expect((await host.post(`/api/fairs/${id}/enter`, {})).statusCode).toBe(200)
      await host.raw('PUT', `/api/fairs/${id}`, '{"act":"start"}', { 'content-type': 'application/json' })
      const launched = await host.post('/api/tokens/launch', { name: 'Paper Star', symbol: 'STAR', fairId: id })
      const tokenId = launched.json().id
      const bell = new Date(Date.now() + 2_500)
      await sql`
        with fair as (update fairs set bell_at = ${bell} where id = ${id})
        update fairs.pools set closes_at = ${bell} where token_id = ${tokenId}`.execute(database.db)
      const answered: number[] = []
      const sentAfter: number[] = []
      const buy = async (player: Visitor) => {
        for (let refused = 0; refused < 5; ) {
          const isAfter = Date.now() > bell.getTime()
          const answer = await player.post('/api/tokens/buy', { tokenId, solAmount: '0.01' })
          if (answer.statusCode === 200) {
            answered.push(answer.json().trade.id)
            if (isAfter) sentAfter.push(answer.json().trade.id)
          } else if (isAfter) refused++
          await sleep(5)
        }
      }
      await Promise.all([buy(host), buy(guest)])
      const { rows } = await sql<{ id: number }>`
        select id from fairs.trades where token_id = ${tokenId} order by id`.execute(database.db)
      expect(answered.length).toBeGreaterThan(10)
      expect([sentAfter, rows.map((row) => row.id)]).toEqual([[], answered.toSorted((a, b) => a - b)])
      const late = await sql`select from fairs.trades where token_id = ${tokenId} and created_at > ${bell}`.execute(
        database.db,
      )
      expect(late.rows).toEqual([])
      const countResults = async () =>
        (await sql`select from fair_results where fair_id = ${id}`.execute(database.db)).rows.length
      await expect.poll(countResults, SOON).toBe(1)
    } finally {
      await second.close()
      await first.close()
    }
  })
})
