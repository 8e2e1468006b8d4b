import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { connect } from '@papermoon/db'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { OutcomeUnknownError } from '../../src/errors.ts'
import { createTestMarket, readBooks, type TestMarket } from '../../src/testing/test-market.ts'
import { createTradingEngine } from '../../src/trading-engine.ts'
import { startCuttingProxy } from '../pipeline/cutting-proxy.ts'

const ORDERS = 600

let market: TestMarket
let seller: UserId
let tokenId: TokenId
let tokens: string
beforeEach(async () => {
  market = await createTestMarket()
  seller = await market.addPlayer('1000')
  tokenId = await market.launch(seller)
  tokens = (await market.buy(seller, tokenId, '100')).position.amount
  const owners: UserId[] = []
  for (let i = 0; i < 30; i++) owners.push(await market.addPlayer('1000'))
  // Straight into the tables: a ladder that an engine would let players place one by one.
  await sql`
    insert into waiting_orders (token_id, user_id, account_id, kind, price, amount, left_amount, below, request_key, digest,
      placed_at, expires_at)
    select ${tokenId}, owner, owner, 'buy', p.price * part / 0.997, 0.05, 0.05, p.price * part, 'rung ' || n, '', now(),
           now() + interval '1 day'
      from pools p cross join generate_series(1, ${ORDERS}::int) n
     cross join lateral (select 0.99 - n::numeric / 2000 as part, (${owners}::int[])[1 + n % 30] as owner) share
     where p.token_id = ${tokenId}`.execute(market.db)
  await sql`update pools set book = book + 1, book_below = price where token_id = ${tokenId}`.execute(market.db)
})
afterEach(() => market?.close())

/** Lets a process sell into the ladder and kills it after it has published `batches` batches. */
async function sweepAndDie(batches: number): Promise<void> {
  const { address } = market
  const path = join(import.meta.dirname, 'sweep-process.ts')
  const child = spawn(process.execPath, [path, String(seller), String(tokenId), tokens, JSON.stringify(address)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let published = 0
  for await (const _ of createInterface({ input: child.stdout })) if (++published >= batches) child.kill('SIGKILL')
  await ended
}

/** Waits until all are filled, then looks that each was once, the nearest first, and at the sums. */
async function expectSwept(): Promise<void> {
  const read = async () =>
    await market.db.selectFrom('waiting_orders').selectAll().where('token_id', '=', tokenId).orderBy('id').execute()
  // No order comes: the nodes that are left go on by themselves.
  await expect.poll(async () => (await read()).every(({ state }) => state === 'filled'), { timeout: 20_000 }).toBe(true)
  const fills = await market.db
    .selectFrom('trades')
    .selectAll()
    .where('token_id', '=', tokenId)
    .where('request_key', 'like', 'order %')
    .orderBy('seq')
    .execute()
  expect(fills.map(({ request_key }) => request_key)).toEqual((await read()).map(({ id }) => `order ${id} fill 1`))
  const pools = await market.db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).execute()
  expect(pools).toMatchObject([{ cascade_from: null, book_below: null, seq: ORDERS + 2 }])
  expect(await readBooks(market)).toMatchObject({ unbalancedTokens: 0, unbalancedPlayers: 0, brokenSequences: 0 })
}

it.each([1, 3, 6])(
  'a node killed after %d batches of a cascade loses, doubles and reorders nothing',
  async (batches) => {
    await sweepAndDie(batches)
    await expectSwept()
  },
)

it.each(['cut', 'silence'] as const)(
  'the answer to a commit of a cascade may be lost (%s): the order’s repeat trades once, and each fill happens once',
  async (how) => {
    const proxy = await startCuttingProxy(market.address)
    const timeouts = { connectTimeoutMs: 20_000, statementTimeoutMs: 3_000, answerGraceMs: 1_000 }
    const client = connect(proxy.address, { ...timeouts, poolMax: 4 })
    const log = pino({ level: 'silent' })
    const engine = createTradingEngine({ pool: client.pool, clock: systemClock, log, publish: () => {} })
    const order = { kind: 'sell', userId: seller, tokenId, tokens: parseTokens(tokens) } as const
    void proxy.loseNextAnswer('commit', how)
    const failure: OutcomeUnknownError = await engine.submit(order).catch((error) => error)
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    // Of what follows it one is lost too, if this node gets to do it.
    void proxy.loseNextAnswer('commit', how)
    const { trade } = await market.engine.submit({ ...order, requestKey: failure.requestKey })
    expect(trade.seq).toBe(2)
    await expectSwept()
    await engine.close()
    await client.close()
    proxy.close()
  },
)
