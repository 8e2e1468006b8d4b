import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { startCuttingProxy } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiProcess, startApi } from '../chaos/support/api-process.ts'
import { type RestPlayer, registerPlayer } from '../chaos/support/rest-player.ts'
import { toUrl } from '../chaos/support/to-url.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'

const SOON = { timeout: 60_000, interval: 100 }
const HOUR_MS = 3_600_000
const NOWHERE = { host: '/nowhere', port: 5432, user: '', password: '', database: '' }
/** Trades that players are answered before and after something happens. */
const SOME_TRADES = 5

let database: TestDatabase
/** The server reaches its database through it. */
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>
const apis: ApiProcess[] = []
let players: readonly RestPlayer[]
const folder = makeDataFolder()

const startNode = async () => {
  const DATABASE_URL = toUrl(proxy.address as Parameters<typeof toUrl>[0])
  const api = await startApi({ DATABASE_URL, DATA_DIR: folder, FAIRS: 'off' })
  apis.push(api)
  return api
}
const killAll = async () => {
  await Promise.all(apis.splice(0).map((api) => api.end('SIGKILL')))
}

beforeAll(async () => {
  database = await createTestDatabase({ poolMax: 2 })
  proxy = await startCuttingProxy(database.address)
  const { url } = await startNode()
  players = [await registerPlayer(url), await registerPlayer(url)]
})
afterAll(async () => {
  await killAll()
  proxy.close()
  await database.drop()
  removeDataFolder(folder)
})

async function query<Row>(text: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> {
  return (await text.execute(database.db)).rows
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

/** Players who buy until a trade is refused since the fair has ended. */
interface Buying {
  /** The ids of the trades that were answered. */
  readonly answered: readonly number[]
  /** Resolves when so many more trades are answered. */
  more(count: number): Promise<void>
  readonly ended: Promise<unknown>
}

function buyToTheEnd(tokenId: number): Buying {
  const answered: number[] = []
  let onAnswer = () => {}
  const buy = async ({ order }: RestPlayer) => {
    for (;;) {
      const at = apis.at(-1)?.url ?? 'http://127.0.0.1:9'
      const answer = await order({ tokenId, solAmount: '0.01' }, randomUUID(), at).catch(() => null)
      if (answer?.status === 200) {
        answered.push((answer.body as { trade: { id: number } }).trade.id)
        onAnswer()
      } else if (answer?.status === 409) return
      else await sleep(50)
    }
  }
  const more = (count: number) => {
    const wanted = answered.length + count
    return new Promise<void>((resolve) => {
      onAnswer = () => answered.length >= wanted && resolve()
    })
  }
  return { answered, more, ended: Promise.all(players.map(buy)) }
}

/** Moves all times of a fair into the past, as if it had been planned earlier. */
async function moveBack(id: number, ms: number): Promise<void> {
  const back = sql`${ms} * interval '1 ms'`
  await query(sql`
    update fairs set created_at = created_at - ${back}, lobby_at = lobby_at - ${back}, starts_at = starts_at - ${back},
           ends_at = ends_at - ${back} where id = ${id}`)
}

/** Lets the bell of an open fair fall so many ms from now, as if it had run since ten minutes ago. */
async function ringIn(id: number, ms: number): Promise<void> {
  await query(sql`
    with fair as (
      update fairs set starts_at = now() - interval '10 minutes', bell_at = now() + ${ms} * interval '1 ms', lost_ms = 0
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
  it.each([
    ['the server misses by kill -9', killAll, startNode],
    [
      'falls into an outage of the database',
      async () => proxy.moveTo(NOWHERE),
      async () => proxy.moveTo(database.address),
    ],
  ])('whose start %s begins late with its entrants, and says so', async (_name, goAway, comeBack) => {
    const id = await addArena(HOUR_MS)
    await goAway()
    await moveBack(id, HOUR_MS + 20_000)
    await comeBack()
    await expect.poll(() => readState(id).catch(() => 'away'), SOON).toBe('open')
    const { note, entrants } = await readFair(id)
    expect([note, entrants]).toEqual([
      expect.stringMatching(/^This fair started \d+ seconds late, because the server was down\.$/),
      2,
    ])
    expect(await launchIn(id)).toBeGreaterThanOrEqual(1_000_000_000)
  })

  it('whose server is killed before the bell loses no answered trade, has none after it, and one result', async () => {
    const id = await addArena(0)
    await expect.poll(() => readState(id), SOON).toBe('open')
    const tokenId = await launchIn(id)
    const buying = buyToTheEnd(tokenId)
    await buying.more(SOME_TRADES)
    await killAll()
    await startNode()
    await buying.more(SOME_TRADES)
    await ringIn(id, 1_000)
    await buying.ended
    expect(await findTrades(tokenId)).toEqual(expect.arrayContaining([...buying.answered]))
    await expect.poll(() => readState(id), SOON).toBe('settled')
    expect([await findLate(id), await findPlaces(id)]).toEqual([[], [1, 2]])
  })

  it('that lost more than a tenth of its time is void, and says so', async () => {
    const id = await addArena(0)
    await expect.poll(() => readState(id), SOON).toBe('open')
    await killAll()
    await ringIn(id, 0)
    await query(sql`update fairs set seen_at = bell_at - interval '2 minutes' where id = ${id}`)
    await startNode()
    await expect.poll(() => readState(id), SOON).toBe('void')
    expect((await readFair(id)).note).toBe('This fair does not count, because the server was down for 120 seconds.')
  })
})
