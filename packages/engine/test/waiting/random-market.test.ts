import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { connect, formatNumeric } from '@papermoon/db'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCuttingProxy } from '../../../db/test/fixtures/cutting-proxy.ts'
import { systemClock } from '../../src/clock.ts'
import { DomainError } from '../../src/errors.ts'
import { createTradingEngine, type TradingEngine } from '../../src/trading-engine.ts'
import { createTestMarket, readBooks, type TestMarket } from '../support/test-market.ts'
import { anyDrawn, type Drawn, PASSED_BY, PLAYERS, SOL, toAct } from './acts.ts'
import { type Act, describeReference, doAct, toOrder } from './model-market.ts'
import { RefMarket } from './reference.ts'

/** `MODEL_RUNS=1000 TEST_SEED=1 npm run t -- packages/engine/test/waiting` runs more, or repeats a failure. */
const RUNS = Number.parseInt(process.env.MODEL_RUNS ?? '12', 10)
const TEST_MAX_MS = process.env.MODEL_RUNS === undefined ? 240_000 : 7_200_000

let market: TestMarket
let engines: TradingEngine[]
beforeAll(async () => {
  market = await createTestMarket()
  engines = [market.engine, market.openEngine()]
})
afterAll(() => market?.close())

/** Creates a token with its own players. */
async function begin(): Promise<{ tokenId: TokenId; userIds: UserId[] }> {
  const creator = await market.addPlayer()
  const userIds: UserId[] = []
  for (let i = 0; i < PLAYERS; i++) userIds.push(await market.addPlayer(`${SOL / 10n ** 9n}`))
  return { tokenId: await market.launch(creator), userIds }
}

/** Returns the ids of this token's orders, in the order in which the reference numbers them. */
async function readIds(tokenId: TokenId): Promise<number[]> {
  const rows = await market.db
    .selectFrom('waiting_orders')
    .select('id')
    .where('token_id', '=', tokenId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Submits the order of an act. An order that a rule rejects changes nothing. If faults are expected, the order is
 * repeated like callers do.
 */
async function submit(
  getEngine: () => TradingEngine,
  act: Act,
  { tokenId, userIds, isFaulty = false }: Awaited<ReturnType<typeof begin>> & { readonly isFaulty?: boolean },
): Promise<void> {
  const order = toOrder(act, tokenId, (player) => userIds[player] as UserId)
  const ids = act.act === 'cancel' ? (await readIds(tokenId)).slice(act.id - 1, act.id) : []
  if (act.act === 'cancel' && ids.length === 0) return
  const keyed = order.kind === 'cancel' ? { ...order, ids } : { ...order, requestKey: randomUUID() }
  for (;;) {
    try {
      await getEngine().submit(keyed)
      return
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const isFault = error.code === 'BUSY' || error.code === 'OUTCOME_UNKNOWN'
      if (!isFault) return
      if (!isFaulty) throw error
      await sleep(20)
    }
  }
}

/** A fault of the nodes while an act is carried out. */
interface Fault {
  readonly kind: 'none' | 'cut' | 'restart'
  readonly afterMs: number
}
const anyFault = fc.record({
  kind: fc.constantFrom<Fault['kind']>('none', 'none', 'none', 'cut', 'restart'),
  afterMs: fc.nat(12),
})

/**
 * Opens two nodes. All their connections can be cut at once, and the first node can be stopped in the middle of a
 * cascade.
 */
async function openNodes() {
  const proxy = await startCuttingProxy(market.address)
  const open = () => {
    const client = connect(proxy.address, { poolMax: 3, connectTimeoutMs: 20_000, statementTimeoutMs: 20_000 })
    const log = pino({ level: 'silent' })
    const engine = createTradingEngine({ pool: client.pool, clock: systemClock, log, publish: () => {} })
    const close = async () => {
      await engine.close()
      await client.close()
    }
    return { engine, close }
  }
  let nodes = [open(), open()] as const
  return {
    get: (i: number) => nodes[i % 2 === 0 ? 0 : 1].engine,
    strike: async ({ kind, afterMs }: Fault) => {
      if (kind === 'none') return
      await sleep(afterMs)
      if (kind === 'cut') {
        proxy.moveTo(market.address)
        return
      }
      const [stopped, other] = nodes
      nodes = [other, open()]
      await stopped.close()
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()))
      proxy.close()
    },
  }
}

async function whenQuiet(tokenId: TokenId): Promise<void> {
  const isRunning = async () => {
    const pools = await market.db.selectFrom('pools').select('cascade_from').where('token_id', '=', tokenId).execute()
    return pools.some(({ cascade_from }) => cascade_from !== null)
  }
  while (await isRunning()) await sleep(20)
}

/** Returns the state in the database, in the reference's form. */
async function describeMarket(tokenId: TokenId, userIds: readonly UserId[]): Promise<object> {
  const { db } = market
  const pool = await db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).executeTakeFirstOrThrow()
  const accounts = await db
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', 'in', [...userIds])
    .orderBy('user_id')
    .execute()
  const holdings = await db.selectFrom('holdings').selectAll().where('token_id', '=', tokenId).execute()
  const trades = await db.selectFrom('trades').selectAll().where('token_id', '=', tokenId).orderBy('seq').execute()
  const orders = await db
    .selectFrom('waiting_orders')
    .selectAll()
    .where('token_id', '=', tokenId)
    .orderBy('id')
    .execute()
  const heldBy = new Map(holdings.map(({ user_id, amount }) => [user_id, amount]))
  return {
    pool: [formatNumeric(pool.sol_reserve), formatNumeric(pool.token_reserve)],
    sol: accounts.map(({ sol_balance }) => formatNumeric(sol_balance)),
    tokens: userIds.map((id) => formatNumeric(heldBy.get(id) ?? '0')),
    trades: trades.map(({ user_id, side, sol_amount, token_amount }) => {
      return `${userIds.indexOf(user_id as UserId)} ${side} ${formatNumeric(side === 'buy' ? sol_amount : token_amount)}`
    }),
    orders: orders.map(({ kind, state, cause, fills, left_amount, below }, index) => {
      return [index + 1, state, cause, fills, formatNumeric(left_amount), kind !== 'buy' && below === null]
    }),
  }
}

/** Returns how often waiting orders were filled. */
async function play(drawn: readonly (readonly [Drawn, Fault])[]): Promise<number> {
  const reference = new RefMarket(PLAYERS, SOL)
  const { tokenId, userIds } = await begin()
  const nodes = await openNodes()
  try {
    for (const [i, [one, fault]] of drawn.entries()) {
      const act = toAct(reference, one)
      if (act === null) continue
      doAct(reference, act)
      const getEngine = () => nodes.get(i)
      await Promise.all([submit(getEngine, act, { tokenId, userIds, isFaulty: true }), nodes.strike(fault)])
      await whenQuiet(tokenId)
    }
  } finally {
    await nodes.close()
  }
  expect(await describeMarket(tokenId, userIds)).toEqual(describeReference(reference))
  return reference.orders.reduce((sum, { fills }) => sum + fills, 0)
}

describe('a market with waiting orders on two nodes', () => {
  it(
    'equals the reference exactly, even if connections are cut and nodes stop in the middle of cascades',
    async () => {
      const none: Fault = { kind: 'none', afterMs: 0 }
      const passedBy = PASSED_BY.flat().map((drawn): [Drawn, Fault] => [drawn, none])
      const anyPlay = fc.array(fc.tuple(anyDrawn, anyFault), { minLength: 15, maxLength: 40 })
      let fills = 0
      const many = fc.asyncProperty(anyPlay, async (drawn) => {
        fills += await play(drawn)
      })
      await fc.assert(many, { numRuns: RUNS, examples: [[passedBy]], endOnFailure: true })
      expect(fills).toBeGreaterThan(20)
      expect(await readBooks(market)).toMatchObject({ unbalancedTokens: 0, unbalancedPlayers: 0, brokenSequences: 0 })
    },
    TEST_MAX_MS,
  )

  it('keeps its books and every order intact if all players order at once', async () => {
    const { tokenId, userIds } = await begin()
    const reference = new RefMarket(PLAYERS, SOL)
    await submit(
      () => market.engine,
      { act: 'trade', player: 0, side: 'buy', amount: 20n * 10n ** 9n },
      { tokenId, userIds },
    )
    reference.trade(0, 'buy', 20n * 10n ** 9n)
    const drawn = fc.sample(anyDrawn, { numRuns: 160, seed: 7 })
    const acts = drawn.map((one) => toAct(reference, one)).filter((act) => act !== null && act.act !== 'cancel')
    // A player can have at most eight pending orders.
    for (let start = 0; start < acts.length; start += 16) {
      const group = acts.slice(start, start + 16) as Act[]
      await Promise.all(group.map((act, i) => submit(() => engines[i % 2] ?? market.engine, act, { tokenId, userIds })))
    }
    await whenQuiet(tokenId)
    expect(await readBooks(market)).toMatchObject({ unbalancedTokens: 0, unbalancedPlayers: 0, brokenSequences: 0 })
    const orders = await market.db.selectFrom('waiting_orders').selectAll().where('token_id', '=', tokenId).execute()
    const fills = await market.db
      .selectFrom('trades')
      .selectAll()
      .where('token_id', '=', tokenId)
      .where('request_key', 'like', 'order %')
      .execute()
    expect(fills).toHaveLength(orders.reduce((sum, order) => sum + order.fills, 0))
    expect(fills.length).toBeGreaterThan(0)
  })
})
