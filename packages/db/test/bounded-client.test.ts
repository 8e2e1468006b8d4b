import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { PREPARED } from '../src/bounded-client.ts'
import { type ConnectOptions, connect, type DatabaseClient } from '../src/client.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'
import { type SilentProxy, startSilentProxy } from './fixtures/silent-proxy.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

interface Line extends SilentProxy {
  readonly client: DatabaseClient
  /** Connection errors reported by the pool. */
  readonly errors: readonly string[]
}

/** A pool of one connection, through a proxy. */
async function line({ onTestFinished }: TestContext, options: ConnectOptions = {}): Promise<Line> {
  const proxy = await startSilentProxy(test.address)
  const errors: string[] = []
  const client = connect(proxy.address, {
    poolMax: 1,
    statementTimeoutMs: 1_000,
    answerGraceMs: 1_500,
    onConnectionError: ({ message }) => errors.push(message),
    ...options,
  })
  onTestFinished(async () => {
    await client.close()
    proxy.close()
  })
  return { ...proxy, client, errors }
}

const GIVEN_UP = 'PostgreSQL left a connection without an answer for 2500 ms'

// Each waits some seconds for a limit, on a connection of its own.
describe.concurrent('a connection that stops answering', () => {
  it('is dropped: its query rejects and the pool opens another', async (context) => {
    const { client, errors, silence } = await line(context)
    await sql`select 1`.execute(client.db)
    silence()
    await expect(sql`select 2`.execute(client.db)).rejects.toThrow('Connection terminated')
    expect(errors).toEqual([GIVEN_UP])
    expect((await sql`select 3 as value`.execute(client.db)).rows).toEqual([{ value: 3 }])
    expect(client.pool.totalCount).toBe(1)
  })

  it('is dropped within a transaction, which commits nothing', async (context) => {
    const { client, errors, silence } = await line(context)
    await sql`create table rows (id int)`.execute(test.db)
    const broken = client.db.transaction().execute(async (tx) => {
      await sql`insert into rows values (1)`.execute(tx)
      silence()
      await sql`insert into rows values (2)`.execute(tx)
    })
    await expect(broken).rejects.toThrow()
    expect(errors).toEqual([GIVEN_UP])
    expect((await sql`select 1 as value`.execute(client.db)).rows).toHaveLength(1)
    expect((await sql`select id from rows`.execute(test.db)).rows).toEqual([])
  })

  it('is dropped for checked-out clients and for queries by the pool', async (context) => {
    const { client, errors, silence } = await line(context)
    const taken = await client.pool.connect()
    await taken.query('begin')
    silence()
    await expect(taken.query('commit')).rejects.toThrow('Connection terminated')
    taken.release()
    await client.pool.query('select 1')
    silence()
    await expect(client.pool.query('select 2')).rejects.toThrow('without an answer')
    expect(errors).toEqual([GIVEN_UP, GIVEN_UP])
    await expect(client.pool.query('select 3')).resolves.toBeDefined()
  })

  it('does not prevent its pool from closing', async (context) => {
    const { client, silence } = await line(context)
    const taken = await client.pool.connect()
    silence()
    const refused = expect(taken.query('select 1')).rejects.toThrow('Connection terminated')
    const closing = client.close()
    await refused
    taken.release()
    await closing
  })

  it.for([
    { setting: "select set_config('statement_timeout', $1, true)", values: ['1600'] },
    { setting: 'set local statement_timeout = 1600', values: [] },
  ])('is waited for as long as its statement may take, after $setting', async ({ setting, values }, context) => {
    const { client, errors, silence } = await line(context)
    const taken = await client.pool.connect()
    await taken.query('begin')
    await taken.query(setting, values)
    silence()
    await expect(taken.query('select 1')).rejects.toThrow('Connection terminated')
    taken.release()
    expect(errors).toEqual(['PostgreSQL left a connection without an answer for 3100 ms'])
  })
})

describe.concurrent('a long statement', () => {
  const LONG = sql`select pg_sleep(3)`

  it.for([
    sql`select set_config('work_mem', ${'64MB'}, true),
      set_config('statement_timeout', ${'60000'}, true)`,
    sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`,
    sql`set local statement_timeout = 0; set local cursor_tuple_fraction = 1`,
    sql`set local statement_timeout = '60s'`,
  ])('is answered where the transaction raised its limit (%#)', async (setting, context) => {
    const { client, errors } = await line(context)
    await client.db.transaction().execute(async (tx) => {
      await setting.execute(tx)
      expect((await LONG.execute(tx)).rows).toHaveLength(1)
    })
    expect(errors).toEqual([])
  })

  it('may run in a session that raised its limit, until the limit is reset', async (context) => {
    const { client, errors, silence } = await line(context)
    await client.db.connection().execute(async (session) => {
      await sql`select set_config('statement_timeout', '0', false)`.execute(session)
      await LONG.execute(session)
      await sql`reset statement_timeout`.execute(session)
      silence()
      await expect(sql`select 1`.execute(session)).rejects.toThrow('Connection terminated')
    })
    expect(errors).toEqual([GIVEN_UP])
  })

  it('is bounded by the default again after the connection returned to the pool', async (context) => {
    const { client, errors, silence } = await line(context)
    await client.db.transaction().execute((tx) => sql`set local statement_timeout = 0`.execute(tx))
    silence()
    await expect(sql`select 1`.execute(client.db)).rejects.toThrow('Connection terminated')
    expect(errors).toEqual([GIVEN_UP])
  })

  it('is cancelled by PostgreSQL while it answers, and the connection is kept', async (context) => {
    const { client, errors } = await line(context, { answerGraceMs: 60_000 })
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(client.db)).rows[0]?.pid
    const before = await pid()
    await expect(LONG.execute(client.db)).rejects.toThrow('statement timeout')
    expect([await pid(), errors]).toEqual([before, []])
  })

  it('keeps its bound when a query’s text only looks like a setting', async (context) => {
    const { client, errors } = await line(context, { statementTimeoutMs: 60_000 })
    await client.db.transaction().execute(async (tx) => {
      await sql`select ${'set statement_timeout = 1'}::text, 'set statement_timeout = 1'`.execute(tx)
      await LONG.execute(tx)
    })
    expect(errors).toEqual([])
  })
})

describe('a query marked as prepared', () => {
  it('is prepared once for each connection, and planned no more after five executions; others are not kept', async ({
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
