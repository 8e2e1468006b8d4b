import { connect, findEmbeddedAddress } from '@papermoon/db'
import { afterAll, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { type DemoWorld, findDemoWorld } from '../../src/house/demo-world.ts'
import { createDataDir } from '../support/data-folder.ts'
import { type CommandEnd, runProgram } from '../support/run-command.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const SOON = { timeout: 180_000, interval: 200 }
const dataDir = createDataDir()
let server: ServerProcess
let url: string

async function start(settings: Record<string, string> = {}): Promise<void> {
  server = startServer({ DATA_DIR: dataDir.path, DEMO: 'on', ...settings })
  url = (await server.ready).replace(/^Papermoon is at (\S+)\s*$/, '$1').replace('localhost', '127.0.0.1')
}

async function end(signal: NodeJS.Signals): Promise<void> {
  server.child.kill(signal)
  await server.ended
}

async function withDatabase<T>(work: (database: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const address = findEmbeddedAddress(dataDir.path)
  if (address === null) throw new Error('no database')
  const database = connect(address, { poolMax: 2 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const readWorld = (): Promise<DemoWorld | null> => withDatabase(({ db }) => findDemoWorld(db))
const countTokens = async (): Promise<number> => ((await (await fetch(`${url}/api/tokens`)).json()) as unknown[]).length
const admin = (...args: string[]): Promise<CommandEnd> => runProgram(['admin', ...args], { DATA_DIR: dataDir.path })

async function countTrades(): Promise<number> {
  return await withDatabase(async ({ db }) => {
    const { n } = await db
      .selectFrom('trades')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  })
}

afterAll(async () => {
  await end('SIGTERM')
  dataDir.remove()
})

// The tests start one server after another on the same data, as an operator would.
describe('a server with a demo world', () => {
  it('starts over after a kill during the history, and never shows half of it', async () => {
    await start()
    expect(await countTokens()).toBe(0)
    await end('SIGKILL')
    await start()
    await expect.poll(countTokens, SOON).toBeGreaterThan(35)
    expect(await readWorld()).toMatchObject({ state: 'running' })
    expect(await withDatabase(({ pool }) => auditMarket(pool))).toMatchObject({ differences: 0 })
  })

  it('has one history after a restart, and bots again', async () => {
    const tokens = await countTokens()
    await end('SIGTERM')
    await start()
    expect(await countTokens()).toBeGreaterThanOrEqual(tokens)
    const before = await countTrades()
    await expect.poll(countTrades, SOON).toBeGreaterThan(before)
  })

  it('lets the bots sell everything and leave after demo off, across a restart', async () => {
    expect((await admin('demo', 'status')).stdout).toMatch(/^The demo world has run since .* bots hold \d+ bags/)
    expect((await admin('demo', 'off')).stdout).toMatch(/^The house bots sell their holdings slowly/)
    await end('SIGKILL')
    await start()
    expect(await readWorld()).toMatchObject({ state: 'retiring' })
    expect((await admin('demo', 'off')).stderr).toMatch(/^The demo world is closing: /)
    const readSales = () =>
      withDatabase(async ({ db }) => {
        const rows = await db.selectFrom('trades').select('side').orderBy('id', 'desc').limit(2).execute()
        return rows.map(({ side }) => side)
      })
    await expect.poll(readSales, SOON).toEqual(['sell', 'sell'])
  })
})
