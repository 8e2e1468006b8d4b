// @module-tag nightly
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compileCache, createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { type Server, startServerWith } from '../shared/server-process.ts'

const LOAD = fileURLToPath(new URL('../../../../packages/bots/src/load/main.ts', import.meta.url))
const env = { PATH: process.env.PATH, ...compileCache }

let database: TestDatabase
let market: Server
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'papermoon-load-'))
  database = await createTestDatabase({ poolMax: 2 })
  market = await startServerWith(database.connectionString)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await market.remove()
  await database.drop()
})

const load = (...args: string[]) => promisify(execFile)(process.execPath, [LOAD, ...args], { env })

/** Returns the number of orders in the database. A launch and its first buy are one order. */
async function countOrders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select user_id, request_key from trades
      union select creator_id, request_key from tokens
      union select user_id, request_key from rugs) orders`.execute(database.db)
  return rows[0]?.count ?? 0
}

/** Registers a player, and returns an API key that can read and trade. */
async function createKey(username: string): Promise<string> {
  const post = (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie }
    return fetch(new URL(path, market.url), { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const player = { username, email: `${username}@bots.example`, wallet: 'none', password: randomUUID() }
  const registered = await post('/api/auth/register', player)
  const cookie = registered.headers.getSetCookie().map((text) => text.split(';', 1)[0])
  const created = await post('/api/keys', { name: 'bot', scopes: ['read', 'trade'] }, cookie.join('; '))
  return ((await created.json()) as { key: string }).key
}

/** Returns the number that follows `name` in the report. */
function readCount(report: string, name: string): number {
  const [, count = ''] = new RegExp(`^${name} +([\\d,]+)`, 'm').exec(report) ?? []
  return Number(count.replaceAll(',', ''))
}

it('reports exactly the orders in the database, and every trade’s event', async () => {
  const launches = 10
  const { stdout, stderr } = await load(
    '--players',
    '8',
    '--rate',
    '40',
    '--seconds',
    '5',
    '--seed',
    '7',
    '--url',
    market.url,
  )
  const acknowledged = readCount(stdout, 'acknowledged')
  // A slow machine responds to only some of the 200 orders in time.
  expect(acknowledged).toBeGreaterThan(5)
  expect(await countOrders()).toBe(acknowledged + launches)
  const expected = readCount(stdout, 'events')
  expect(expected).toBeGreaterThan(5)
  expect(stdout).toMatch(/^events +\d+ expected, 0 missed$/m)
  expect(stdout).toMatch(/^latency +p50 [\d.]+, p90 [\d.]+, p99 [\d.]+, max [\d.]+ ms, from the scheduled time$/m)
  const parts = ['acknowledged', 'refused', 'unknown', 'nobody', 'not sent'].map((name) => readCount(stdout, name))
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(readCount(stdout, 'scheduled'))
  expect(stderr).toContain('registered 1 of 8 players')
  expect((await auditMarket(database.pool)).shown).toEqual([])
})

it('prints the results so far if it is interrupted', async () => {
  const file = join(folder, 'keys.json')
  const keys = await Promise.all(['ada', 'bo', 'cy', 'dee'].map(createKey))
  writeFileSync(file, JSON.stringify(keys.map((key) => ({ key }))), { mode: 0o600 })
  const before = await countOrders()
  const args = ['--keys', file, '--players', '4', '--rate', '20', '--seconds', '600', '--url', market.url]
  const child = spawn(process.execPath, [LOAD, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  child.stdout.on('data', (data: Buffer) => {
    stdout += data
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await expect.poll(countOrders).toBeGreaterThan(before + 10)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(before + readCount(stdout, 'acknowledged')).toBe(await countOrders())
})

it('takes keys from a file only if nobody else can read it, and starts only as many bots as there are keys', async () => {
  const file = join(folder, 'open.txt')
  writeFileSync(file, 'pm_a\npm_b\n')
  chmodSync(file, 0o640)
  await expect(load('--keys', file, '--url', market.url)).rejects.toMatchObject({
    stderr: expect.stringContaining(`chmod 600 ${file}`),
  })
  chmodSync(file, 0o600)
  await expect(load('--keys', file, '--players', '3', '--url', market.url)).rejects.toMatchObject({
    stderr: expect.stringContaining('Please say --players 2.'),
  })
  await expect(load('--keys', file, '--players', '2', '--url', market.url)).rejects.toMatchObject({
    stderr: 'Only 0 players could log in: This API key is not valid.\n',
  })
})

it('prints a sentence if there is no server or an argument is wrong', async () => {
  await expect(load('--url', 'http://127.0.0.1:9')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No Papermoon server responds at http:\/\/127\.0\.0\.1:9\. .*--url\.\n$/),
  })
  await expect(load('--playes', '3')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no option --playes. The options are --players, --rate,'),
  })
})
