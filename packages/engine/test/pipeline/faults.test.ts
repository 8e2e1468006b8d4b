import { parseSol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { ConnectOptions } from '@papermoon/db'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutcomeUnknownError } from '../../src/errors.ts'
import { ENGINE_LIMITS } from '../../src/trading-engine.ts'
import { openNode, openProxy } from '../support/open-node.ts'
import { aToken, balancedBooks, createTestMarket, readBooks, type TestMarket } from '../support/test-market.ts'

let market: TestMarket
let players: UserId[]
let tokens: TokenId[]
beforeEach(async () => {
  market = await createTestMarket()
  players = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
  tokens = [await launchBy(0), await launchBy(1)]
})
afterEach(() => market.close())

const player = (index: number): UserId => players[index] ?? (0 as UserId)
const token = (index: number): TokenId => tokens[index] ?? (0 as TokenId)
const launchBy = (index: number) => market.launch(player(index))
const toStatuses = (answers: PromiseSettledResult<unknown>[]) =>
  answers.map((answer) => (answer.status === 'fulfilled' ? 'done' : answer.reason.code))

/**
 * Timeouts short enough to notice an unresponsive database soon, but longer than a second for which a machine may
 * freeze.
 */
const SHORT_TIMEOUTS: ConnectOptions = { connectTimeoutMs: 20_000, statementTimeoutMs: 3_000, answerGraceMs: 1_000 }

describe('a batch that the database rejects', () => {
  it('is halved until only the bad order fails', async () => {
    await sql`create function refuse() returns trigger language plpgsql as $$ begin
      if new.sol_amount = 6.66 then raise exception using errcode = '22003', message = 'refused'; end if;
      return new; end $$`.execute(market.db)
    await sql`create trigger refuse before insert on trades for each row execute function refuse()`.execute(market.db)
    const amounts = ['1', '2', '6.66', '3', '4', '5']
    const answers = await Promise.allSettled(amounts.map((sol, i) => market.buy(player(i % 3), token(i % 2), sol)))
    expect(toStatuses(answers)).toEqual(['done', 'done', '22003', 'done', 'done', 'done'])
    expect(await readBooks(market)).toEqual(balancedBooks('300'))
  })
})

describe('a lock held by another transaction', () => {
  it('delays the market once, and then only orders that need the row are rejected', async () => {
    const holder = await market.pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from pools where token_id = $1 for update', [token(0)])
    const answers = await Promise.allSettled([
      market.buy(player(0), token(0), '1'),
      market.buy(player(1), token(1), '1'),
      market.buy(player(2), 999_999 as TokenId, '1'),
    ])
    expect(toStatuses(answers)).toEqual(['BUSY', 'done', 'TOKEN_NOT_FOUND'])
    await holder.query('rollback')
    holder.release()
    await expect(market.buy(player(0), token(0), '1')).resolves.toBeDefined()
  })

  it('does not block a new session of the same player', async () => {
    const holder = await market.pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from accounts where user_id = $1 for no key update', [player(0)])
    const session = { token_hash: Buffer.alloc(32), user_id: player(0), expires_at: new Date() }
    await expect(market.db.insertInto('sessions').values(session).execute()).resolves.toBeDefined()
    await holder.query('rollback')
    holder.release()
  })
})

describe('a batch that was not committed', () => {
  it('is rolled back only if a transaction is open, so PostgreSQL logs no warning', async () => {
    const proxy = await openProxy(market.address)
    const { engine, warnings, pool } = openNode(proxy.address)
    const notices: (string | undefined)[] = []
    pool.on('connect', (connection) => connection.on('notice', ({ message }) => notices.push(message)))
    const order = { kind: 'buy', userId: player(0), tokenId: token(0), sol: parseSol('1') } as const
    await engine.submit(order)
    // Another node's trade makes the cached row stale, so the statement fails and the batch runs again with locks.
    await market.buy(player(1), token(0), '1')
    await engine.submit(order)
    proxy.loseNextAnswer('commit', 'cut')
    await expect(engine.submit(order)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await engine.submit({ ...order, userId: player(2) })
    const logged = warnings.map((line) => JSON.parse(line))
    expect(logged).toContainEqual(expect.objectContaining({ msg: 'an optimistic batch failed' }))
    expect(logged).toContainEqual(expect.objectContaining({ msg: 'a batch failed', remedy: 'unknown' }))
    expect(notices).toEqual([])
  })
})

describe('a lost connection', () => {
  it.each([
    ['one order', 'write-one', 'cut', [0]],
    ['one order', 'write-one', 'silence', [0]],
    ['several orders', 'write-many', 'cut', [0, 1]],
  ] as const)(
    'during the commit of %s (%s, %s) is an unknown outcome, and a repeat with the key executes it once',
    async (_, commit, how, buyers) => {
      const proxy = await openProxy(market.address)
      const { engine } = openNode(proxy.address, how === 'silence' ? SHORT_TIMEOUTS : {})
      const orders = buyers.map(
        (i) => ({ kind: 'buy', userId: player(i), tokenId: token(0), sol: parseSol('1') }) as const,
      )
      await Promise.all(orders.map((order) => engine.submit(order)))
      void proxy.loseNextAnswer(commit, how)
      const failures: OutcomeUnknownError[] = await Promise.all(
        orders.map((order) => engine.submit(order).catch((error) => error)),
      )
      for (const failure of failures) expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryAfterS: 1 })
      const again = orders.map((order, i) => engine.submit({ ...order, requestKey: failures[i]?.requestKey }))
      const count = orders.length
      expect((await Promise.all(again)).map(({ trade }) => trade.seq)).toEqual(buyers.map((i) => count + 1 + i))
      expect(await market.db.selectFrom('trades').select('id').execute()).toHaveLength(2 * count)
      expect(await readBooks(market)).toEqual(balancedBooks('300'))
    },
  )

  it('during the commit of a launch is an unknown outcome', async () => {
    const proxy = await openProxy(market.address)
    const { engine } = openNode(proxy.address)
    const order = { kind: 'launch', userId: player(0), token: aToken } as const
    await engine.submit(order)
    void proxy.loseNextAnswer('commit', 'cut')
    const failure: OutcomeUnknownError = await engine.submit(order).catch((error) => error)
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryAfterS: 1 })
    const { tokenId } = await engine.submit({ ...order, requestKey: failure.requestKey })
    const { rows } = await sql<{ newest: number }>`select max(id) as newest from tokens`.execute(market.db)
    expect(tokenId).toBe(rows[0]?.newest)
  })

  it('does not keep waiting orders longer than the limit', async () => {
    const proxy = await openProxy(market.address)
    const longStatements = { ...SHORT_TIMEOUTS, statementTimeoutMs: 8_000 }
    const { engine } = openNode(proxy.address, { ...longStatements, limits: { ...ENGINE_LIMITS, waitMaxMs: 3_000 } })
    const buy = (userId: UserId) => engine.submit({ kind: 'buy', userId, tokenId: token(0), sol: parseSol('1') })
    await expect.poll(() => buy(player(0)).catch(({ code }) => code)).toMatchObject({ trade: {} })
    const hasPassed = proxy.loseNextAnswer('write-one', 'silence')
    const ends: string[] = []
    const stuck = buy(player(0)).catch(({ code }) => ends.push(code))
    await hasPassed
    await buy(player(1)).catch(({ code }) => ends.push(code))
    expect(ends).toEqual(['BUSY'])
    await stuck
    expect(ends).toEqual(['BUSY', 'OUTCOME_UNKNOWN'])
  })

  it('before the commit leaves no trade without a response, and the next order is executed', async () => {
    await market.buy(player(0), token(0), '1')
    // End every other connection to this database, including the engine's.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(market.db)
    const answers = await Promise.allSettled([market.buy(player(1), token(0), '1')])
    // The outcome is unknown if the engine sent the batch before it noticed the lost connection.
    expect(['done', 'BUSY', 'OUTCOME_UNKNOWN']).toContain(toStatuses(answers)[0])
    await expect(market.buy(player(2), token(0), '1')).resolves.toBeDefined()
    expect(await readBooks(market)).toEqual(balancedBooks('300'))
  })

  it('to an unavailable database gets BUSY at once, with a retry time', async () => {
    const { engine } = openNode({
      host: '/nowhere',
      port: 1,
      user: 'nobody',
      password: '',
      database: 'none',
    })
    const order = { kind: 'buy', userId: player(0), tokenId: token(0), sol: parseSol('1') } as const
    await expect(engine.submit(order)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 })
  })
})

describe('PostgreSQL’s own limits', () => {
  it('on statements: a slow order gets BUSY and is not executed, and other orders continue', async () => {
    await sql`create function wait() returns trigger language plpgsql as $$ begin
      if new.sol_amount = 6.66 then perform pg_sleep(60); end if;
      return new; end $$`.execute(market.db)
    await sql`create trigger wait before insert on trades for each row execute function wait()`.execute(market.db)
    const { engine } = openNode(market.address, { statementTimeoutMs: 1_500 })
    const buy = (index: number, sol: string) =>
      engine.submit({ kind: 'buy', userId: player(index), tokenId: token(0), sol: parseSol(sol), requestKey: sol })
    await expect(buy(0, '6.66')).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 })
    // On a loaded machine the first tries may exceed the short limit.
    await expect.poll(() => buy(1, '1'), { timeout: 60_000 }).toBeDefined()
    expect(await market.db.selectFrom('trades').select('id').execute()).toHaveLength(1)
  })

  it('on idle transactions: a process that stalls within a transaction loses nothing and continues', async () => {
    let stallMs = 1_500
    const now = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
      stallMs = 0
      return new Date()
    }
    const { engine } = openNode(market.address, { idleInTransactionTimeoutMs: 500, clock: { now } })
    // Use a launch, because buys and sales have no open transaction while they are computed.
    const order = { kind: 'launch', userId: player(0), token: aToken, requestKey: 'stalled' } as const
    await expect(engine.submit(order)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 })
    await expect.poll(() => engine.submit(order), { timeout: 60_000 }).toBeDefined()
    expect(await market.db.selectFrom('tokens').select('id').execute()).toHaveLength(3)
  })
})

describe('the limits', () => {
  it('allow a player eight pending orders, and reject the ninth', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 9 }, () => market.buy(player(0), token(0), '0.1')))
    expect(toStatuses(answers)).toEqual([...Array(8).fill('done'), 'TOO_MANY_ORDERS'])
  })

  it('reject an order that waited too long instead of executing it late', async () => {
    const engine = market.openEngine({ ...ENGINE_LIMITS, waitMaxMs: -1 })
    const order = { kind: 'buy', userId: player(0), tokenId: token(0), sol: parseSol('1') } as const
    await expect(engine.submit(order)).rejects.toMatchObject({ code: 'BUSY' })
    expect(await market.db.selectFrom('trades').select('id').execute()).toEqual([])
  })

  it('split many orders into several batches, and keep each player’s order', async () => {
    const engine = market.openEngine({ ...ENGINE_LIMITS, batchMax: 2 })
    const submit = (sol: string) =>
      engine.submit({ kind: 'buy', userId: player(0), tokenId: token(0), sol: parseSol(sol) })
    const receipts = await Promise.all(['1', '2', '3', '4', '5'].map(submit))
    expect(receipts.map(({ trade }) => [trade.seq, trade.solAmount])).toEqual([
      [1, '1'],
      [2, '2'],
      [3, '3'],
      [4, '4'],
      [5, '5'],
    ])
  })

  it('respond to pending orders when the engine closes, and reject later ones', async () => {
    const under = market.buy(player(0), token(0), '1')
    const closing = market.engine.close()
    await expect(market.buy(player(0), token(0), '1')).rejects.toMatchObject({ code: 'BUSY' })
    await closing
    await expect(under).resolves.toBeDefined()
  })
})
