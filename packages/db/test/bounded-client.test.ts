import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest'
import { PREPARED } from '../src/bounded-client.ts'
import { type ConnectOptions, connect, type DatabaseClient } from '../src/client.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'
import { type CuttingProxy, startCuttingProxy } from './fixtures/cutting-proxy.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())
// The tests move the timers that check limits, while sockets and PostgreSQL are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

interface Line extends Pick<CuttingProxy, 'silence'> {
  readonly client: DatabaseClient
  /** Connection errors reported by the pool. */
  readonly errors: readonly string[]
}

/** Opens a pool of one connection through a proxy. */
async function line({ onTestFinished }: TestContext, options: ConnectOptions = {}): Promise<Line> {
  const proxy = await startCuttingProxy(test.address)
  const errors: string[] = []
  const client = connect(proxy.address, {
    poolMax: 1,
    statementTimeoutMs: 20_000,
    answerGraceMs: 1_500,
    onConnectionError: ({ message }) => errors.push(message),
    ...options,
  })
  onTestFinished(async () => {
    await client.close()
    proxy.close()
  })
  return { silence: proxy.silence, client, errors }
}

const GIVEN_UP = 'PostgreSQL did not respond on a connection for 21500 ms'
const MINUTE_MS = 60_000

/** Lets time pass until the work has ended. */
async function passTime(work: Promise<unknown>): Promise<void> {
  let isUnderWay = true
  const end = () => {
    isUnderWay = false
  }
  work.then(end, end)
  while (isUnderWay) await vi.advanceTimersByTimeAsync(500)
}

/** Expects the work to fail once its limit has passed. */
async function expectGivenUp(work: Promise<unknown>, message = 'Connection terminated'): Promise<void> {
  const refused = expect(work).rejects.toThrow(message)
  await passTime(refused)
  await refused
}

/** Runs a statement that waits for a minute. */
async function runLong(session: Pick<DatabaseClient, 'db'>['db']): Promise<void> {
  const holder = await test.pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  const waiting = sql`select pg_advisory_lock(1)`.execute(session)
  const isWaiting = sql`
    select from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and locktype = 'advisory' and not granted`
  await expect.poll(async () => (await isWaiting.execute(test.db)).rows).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  await holder.query('select pg_advisory_unlock(1)')
  holder.release()
  expect((await waiting).rows).toHaveLength(1)
  await sql`select pg_advisory_unlock(1)`.execute(session)
}

describe('a connection that stops responding', () => {
  it('is dropped: its query rejects and the pool opens another', async (context) => {
    const { client, errors, silence } = await line(context)
    await sql`select 1`.execute(client.db)
    silence()
    await expectGivenUp(sql`select 2`.execute(client.db))
    expect(errors).toEqual([GIVEN_UP])
    expect((await sql`select 3 as value`.execute(client.db)).rows).toEqual([{ value: 3 }])
    expect(client.pool.totalCount).toBe(1)
  })

  it('is dropped within a transaction, which commits nothing', async (context) => {
    const { client, errors, silence } = await line(context)
    await sql`create table rows (id int)`.execute(test.db)
    const silent = Promise.withResolvers<void>()
    const broken = client.db.transaction().execute(async (tx) => {
      await sql`insert into rows values (1)`.execute(tx)
      silence()
      silent.resolve()
      await sql`insert into rows values (2)`.execute(tx)
    })
    await silent.promise
    await expectGivenUp(broken, '')
    expect(errors).toEqual([GIVEN_UP])
    expect((await sql`select 1 as value`.execute(client.db)).rows).toHaveLength(1)
    expect((await sql`select id from rows`.execute(test.db)).rows).toEqual([])
  })

  it('is dropped for checked-out clients and for queries by the pool', async (context) => {
    const { client, errors, silence } = await line(context)
    const taken = await client.pool.connect()
    await taken.query('begin')
    silence()
    await expectGivenUp(taken.query('commit'))
    taken.release()
    await client.pool.query('select 1')
    silence()
    await expectGivenUp(client.pool.query('select 2'), 'did not respond')
    expect(errors).toEqual([GIVEN_UP, GIVEN_UP])
    await expect(client.pool.query('select 3')).resolves.toBeDefined()
  })

  it('does not prevent its pool from closing', async (context) => {
    const { client, silence } = await line(context)
    const taken = await client.pool.connect()
    silence()
    const refused = expect(taken.query('select 1')).rejects.toThrow('Connection terminated')
    const closing = client.close()
    await passTime(refused)
    taken.release()
    await closing
  })

  it.for([
    { setting: "select set_config('statement_timeout', $1, true)", values: ['30000'] },
    { setting: 'set local statement_timeout = 30000', values: [] },
  ])('is waited for as long as its statement may take, after $setting', async ({ setting, values }, context) => {
    const { client, errors, silence } = await line(context)
    const taken = await client.pool.connect()
    await taken.query('begin')
    await taken.query(setting, values)
    silence()
    await expectGivenUp(taken.query('select 1'))
    taken.release()
    expect(errors).toEqual(['PostgreSQL did not respond on a connection for 31500 ms'])
  })
})

describe('a long statement', () => {
  it.for([
    sql`select set_config('work_mem', ${'64MB'}, true),
      set_config('statement_timeout', ${'90000'}, true)`,
    sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`,
    sql`set local statement_timeout = 0; set local cursor_tuple_fraction = 1`,
    sql`set local statement_timeout = '90s'`,
  ])('is answered where the transaction raised its limit (%#)', async (setting, context) => {
    const { client, errors } = await line(context)
    await client.db.transaction().execute(async (tx) => {
      await setting.execute(tx)
      await runLong(tx)
    })
    expect(errors).toEqual([])
  })

  it('can run in a session that raised its limit, until the limit is reset', async (context) => {
    const { client, errors, silence } = await line(context)
    await client.db.connection().execute(async (session) => {
      await sql`select set_config('statement_timeout', '0', false)`.execute(session)
      await runLong(session)
      await sql`reset statement_timeout`.execute(session)
      silence()
      await expectGivenUp(sql`select 1`.execute(session))
    })
    expect(errors).toEqual([GIVEN_UP])
  })

  it('has the default limit again after the connection returned to the pool', async (context) => {
    const { client, errors, silence } = await line(context)
    await client.db.transaction().execute((tx) => sql`set local statement_timeout = 0`.execute(tx))
    silence()
    await expectGivenUp(sql`select 1`.execute(client.db))
    expect(errors).toEqual([GIVEN_UP])
  })

  it('is cancelled by PostgreSQL if the server responds, and the connection is kept', async (context) => {
    const { client, errors } = await line(context, { statementTimeoutMs: 1_000 })
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(client.db)).rows[0]?.pid
    const before = await pid()
    await expect(sql`select pg_sleep(60)`.execute(client.db)).rejects.toThrow('statement timeout')
    expect([await pid(), errors]).toEqual([before, []])
  })

  it('keeps its limit if a query’s text only looks like a setting', async (context) => {
    const { client, errors } = await line(context, { statementTimeoutMs: 90_000 })
    await client.db.transaction().execute(async (tx) => {
      await sql`select ${'set statement_timeout = 1'}::text, 'set statement_timeout = 1'`.execute(tx)
      await runLong(tx)
    })
    expect(errors).toEqual([])
  })
})

describe('a query marked as prepared', () => {
  it('is prepared once per connection, and uses a stored plan after five executions; other queries do neither', async ({
    onTestFinished,
  }) => {
    const client = connect(test.address, { poolMax: 1 })
    onTestFinished(() => client.close())
    const read = async (value: number) => {
      const { rows } = await sql<{ value: number }>`${PREPARED}select ${value}::int as value`.execute(client.db)
      return rows[0]?.value
    }
    const values = [1, 2, 3, 4, 5, 6, 7]
    for (const value of values) expect(await read(value)).toBe(value)
    const types = client.db.selectFrom(sql<{ typname: string }>`pg_type`.as('t')).select('t.typname')
    for (const typname of ['bool', 'text']) {
      expect(await types.where('t.typname', '=', typname).modifyFront(PREPARED).execute()).toEqual([{ typname }])
    }
    await sql`select ${3}::int as value`.execute(client.db)
    const { rows } = await sql`
      select statement, custom_plans::int as planned, generic_plans::int as kept from pg_prepared_statements
       order by prepare_time`.execute(client.db)
    expect(rows).toEqual([
      { statement: '/* prepared */select $1::int as value', planned: 5, kept: 2 },
      {
        statement: expect.stringMatching(/^select \/\* prepared \*\/ .* where "t"."typname" = \$1$/),
        planned: 2,
        kept: 0,
      },
    ])
  })
})
