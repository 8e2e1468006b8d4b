import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../src/client.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'
import { getSqlState, isDatabaseFull, isDatabaseUnavailable } from '../src/unavailable.ts'

let test: TestDatabase
const errors: Error[] = []
beforeAll(async () => {
  test = await createTestDatabase({ onConnectionError: (error) => errors.push(error) })
})
afterAll(() => test.drop())

async function select(expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(test.db)
  return rows[0]?.value
}

describe('values read from the database', () => {
  it('keeps a numeric as its exact text', async () => {
    expect(await select('99999999999.123456789::numeric(20,9)')).toBe('99999999999.123456789')
  })

  it('reads a bigint as a number', async () => {
    expect(await select('9007199254740991::bigint')).toBe(9_007_199_254_740_991)
    expect(await select('array[1, null, 3]::bigint[]')).toEqual([1, null, 3])
  })

  it('rejects a bigint that would lose digits', async () => {
    await expect(select('9007199254740993::bigint')).rejects.toThrow('does not fit a safe integer')
  })

  it('reads a timestamptz as a Date and a date as its text', async () => {
    expect(await select(`'2026-01-02T03:04:05.678Z'::timestamptz`)).toEqual(new Date('2026-01-02T03:04:05.678Z'))
    expect(await select(`'2026-01-02'::date`)).toBe('2026-01-02')
  })
})

describe('connections', () => {
  it('never fall back from TLS to plain text', async () => {
    const received: Buffer[] = []
    // The server responds like a PostgreSQL without TLS, or like an attacker who wants plain text.
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        received.push(data)
        socket.write('N')
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const client = connect({ connectionString: `postgres://a:b@127.0.0.1:${port}/a?sslmode=verify-full` })
    onTestFinished(() => client.close())
    await expect(client.pool.query('select 1')).rejects.toThrow('does not support SSL')
    // The client must send nothing but the request for TLS: no user and no password.
    expect(Buffer.concat(received)).toEqual(Buffer.from('0000000804d2162f', 'hex'))
  })

  it('limit every wait', async () => {
    const client = connect(test.address)
    onTestFinished(() => client.close())
    const { rows } = await client.pool.query(
      "select name, setting from pg_settings where name ~ '^(lock|statement|idle_in_transaction_session)_timeout$' order by 1",
    )
    expect(rows.map(({ setting }) => setting)).toEqual(['10000', '2000', '10000'])
  })

  it('survive a connection that breaks within a transaction', async () => {
    const pid = (db: TestDatabase['db']) => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    const broken = test.db.transaction().execute(async (tx) => {
      const { rows } = await pid(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(test.db)
      await sql`select 1`.execute(tx)
    })
    await expect(broken).rejects.toThrow()
    expect(await select('1')).toBe(1)
    expect(errors.length).toBeGreaterThan(0)
  })

  it('survive idle connections that break', async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(test.db)
    expect(await select('1')).toBe(1)
  })

  it('reject queries without a server, but cause no other failure', async () => {
    const away = connect({ host: '/nowhere', port: 5432, user: 'a', password: 'b', database: 'c' })
    await expect(sql`select 1`.execute(away.db)).rejects.toThrow('ENOENT')
    await away.close()
  })

  it('have all disappeared from the server after close', async () => {
    const client = connect(test.address, { applicationName: 'to-be-closed' })
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.01)`.execute(client.db)))
    await client.close()
    expect(await select(`(select count(*) from pg_stat_activity where application_name = 'to-be-closed')`)).toBe(0)
  })

  it('can be closed twice, and without use', async () => {
    const client = connect(test.address)
    await Promise.all([client.close(), client.close()])
    await expect(sql`select 1`.execute(client.db)).rejects.toThrow()
  })
})

it.each([
  ['a full disk', '53100', {}, { state: '53100', isFull: true, isUnavailable: true }],
  ['a shutdown', '57P01', {}, { state: '57P01', isFull: false, isUnavailable: true }],
  ['a broken rule', '23505', {}, { state: '23505', isFull: false, isUnavailable: false }],
  ['a broken pipe', 'EPIPE', { syscall: 'write' }, { state: null, isFull: false, isUnavailable: true }],
])('tells %s from other errors', (_what, code, more, told) => {
  const error = Object.assign(new Error('it failed'), { code, ...more })
  expect({
    state: getSqlState(error),
    isFull: isDatabaseFull(error),
    isUnavailable: isDatabaseUnavailable(error),
  }).toEqual(told)
})
