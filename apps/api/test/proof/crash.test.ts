import { Decimal } from '@papermoon/amm'
import type { DatabaseClient } from '@papermoon/db'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trade } from '../../src/events/event.ts'
import { balanced, readBooks } from '../market.ts'
import { type Acknowledged, startLoad } from './load.ts'
import { type RestPlayer, registerPlayer } from './rest-player.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const PLAYERS = 6
const TOKENS = 3
/** Orders in flight at any moment: players × this. */
const LANES = 4
/** Acknowledged before the kill, and again after it. */
const ORDERS = 150
/** More rounds: `PROOF_CRASH_ROUNDS=30 vitest run test/proof/crash.test.ts`; `PROOF_LOG_LEVEL=warn` shows why. */
const ROUNDS = Number.parseInt(process.env.PROOF_CRASH_ROUNDS ?? '3', 10)
const ROUND_MAX_MS = 90_000

const victims = ['the API and PostgreSQL', 'PostgreSQL', 'the API'] as const
const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
  round: round + 1,
  victim: victims[round % victims.length] ?? victims[0],
}))

let server: ServerProcess
let registered = 0
const everAcknowledged: Acknowledged[] = []
beforeAll(async () => {
  server = await startServerProcess()
}, 60_000)
afterAll(() => server.remove(), 60_000)

async function newMarket(): Promise<{ players: RestPlayer[]; tokens: number[] }> {
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => registerPlayer(server.url)))
  registered += PLAYERS
  const tokens = await Promise.all(players.slice(0, TOKENS).map((player, i) => player.launch(`Proof ${i}`)))
  return { players, tokens }
}

async function kill(victim: (typeof victims)[number]): Promise<void> {
  if (victim !== 'PostgreSQL') await server.killApi()
  if (victim !== 'the API') server.killPostgres()
  if (victim !== 'PostgreSQL') await server.start()
}

async function inDatabase<Result>(look: (database: DatabaseClient) => Promise<Result>): Promise<Result> {
  const database = server.openDatabase()
  try {
    return await look(database)
  } finally {
    await database.close()
  }
}

/** A trade and whose order, with which key, it answers. */
interface KeyedTrade extends Omit<Trade, 'username'> {
  readonly key: string
}

/** The whole journal, oldest first, as the API tells trades. */
async function storedTrades({ db }: DatabaseClient): Promise<KeyedTrade[]> {
  const rows = await db.selectFrom('trades').selectAll().orderBy('id').execute()
  const figure = (text: string) => new Decimal(text).toFixed()
  return rows.map((row) => ({
    id: row.id,
    tokenId: row.token_id as Trade['tokenId'],
    seq: row.seq,
    side: row.side,
    solAmount: figure(row.sol_amount),
    fee: figure(row.fee),
    tokenAmount: figure(row.token_amount),
    price: figure(row.price),
    spotPrice: figure(row.spot_price),
    createdAt: row.created_at.toISOString(),
    userId: row.user_id as Trade['userId'],
    key: `${row.user_id} ${row.request_key}`,
  }))
}

function acknowledgedTrades(): KeyedTrade[] {
  return everAcknowledged
    .map(({ player, key, trade: { username: _, ...trade } }) => ({ ...trade, key: `${player.id} ${key}` }))
    .sort((a, b) => a.id - b.id)
}

describe('kill -9 in the middle of a load', () => {
  it.each(rounds)(
    'of $victim loses no acknowledged trade and doubles none (round $round)',
    async ({ victim }) => {
      const load = startLoad({ ...(await newMarket()), lanes: LANES })
      await load.until(ORDERS)
      await kill(victim)
      await load.until(load.acknowledged.length + ORDERS)
      await load.stop()
      everAcknowledged.push(...load.acknowledged)

      // Orders were under way: otherwise this round proves nothing.
      expect(load.acknowledged.filter((order) => order.wasInterrupted).length).toBeGreaterThan(0)
      // Each acknowledged trade once, with the very figures, and nothing else.
      expect(await inDatabase(storedTrades)).toEqual(acknowledgedTrades())
      expect(await inDatabase(readBooks)).toEqual(balanced(String(registered * 100)))
      await expectSameAnswerAgain(load.acknowledged.filter((order) => order.wasInterrupted))
    },
    ROUND_MAX_MS,
  )
})

/** Repeated once more, after everything: the first answer, and no further trade. */
async function expectSameAnswerAgain(orders: readonly Acknowledged[]): Promise<void> {
  for (const { player, order, key, trade } of orders) {
    expect(await player.order(order, key)).toMatchObject({ status: 200, body: { trade } })
  }
}

describe('PostgreSQL away under a running API', () => {
  it(
    'is 503 with Retry-After for every order, without a hang, and passes by itself',
    async () => {
      const { players, tokens } = await newMarket()
      const load = startLoad({ players, tokens, lanes: LANES })
      await load.until(ORDERS)
      const before = load.unavailable.length
      server.killPostgres()
      await load.until(load.acknowledged.length + ORDERS)
      await load.stop()
      const away = load.unavailable.slice(before)
      expect(away.length).toBeGreaterThan(0)
      for (const { headers, body } of away) {
        expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
        expect(body).toMatch(/^[A-Z].*(try again in a moment|never placed twice)\.$/)
      }
      expect(await inDatabase(readBooks)).toEqual(balanced(String(registered * 100)))
    },
    ROUND_MAX_MS,
  )
})
