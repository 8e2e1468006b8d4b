import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'
import { type DemoKeeper, startDemoKeeper } from '../../src/features/demo/demo-keeper.ts'
import { HouseRunner } from '../../src/features/demo/house-runner.ts'
import { beginDemoWorld, findDemoWorld, moveDemoWorld } from '../../src/house/demo-world.ts'

const NOTHING = join(import.meta.dirname, 'no-such-file.ts')
const IDLE = join(import.meta.dirname, 'idle-runner.ts')
const LOOK_EVERY_MS = 100
const SOON = { timeout: 120_000, interval: 50 }

interface Line {
  readonly msg: string
  readonly pauseMs?: number
}

interface Node {
  readonly keeper: DemoKeeper
  readonly runner: HouseRunner
  readonly lines: Line[]
  /** How often accounts were closed. */
  closings(): number
}

let database: TestDatabase
let nodes: (Node & { stop(): Promise<void> })[]
beforeEach(async () => {
  database = await createTestDatabase()
  nodes = []
})
afterEach(async () => {
  await Promise.all(nodes.map(({ stop }) => stop()))
  await database.drop()
})

async function startNode({ bot = 'idle', hasBegun = false } = {}): Promise<Node> {
  const { db, pool } = database
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) })
  const { history, stop: stopFeed } = await startLiveFeed({ db, log })
  const issueBots = async () => [{ name: bot, key: 'key', character: {} }]
  const runner = new HouseRunner({ log, script: IDLE, url: 'http://127.0.0.1:1', issueBots })
  let closings = 0
  const closeAccounts = async () => void closings++
  const keeper = startDemoKeeper({
    ...{ app: { db, log, history }, pool, hasBegun, historyCommand: NOTHING, runner },
    ...{ lookEveryMs: LOOK_EVERY_MS, closeAccounts, payBots: async () => {} },
  })
  const stop = async () => {
    await keeper.stop()
    await stopFeed()
  }
  const node = { keeper, runner, lines, closings: () => closings }
  nodes.push({ ...node, stop })
  return node
}

const readState = async () => (await findDemoWorld(database.db))?.state

describe('the keeper of a demo world', () => {
  it('runs the bots on one node at a time, and on another when that one ends', async () => {
    await beginDemoWorld(database.db, 1)
    await moveDemoWorld(database.db, ['writing'], 'running')
    const first = await startNode()
    await expect.poll(() => first.runner.pid, SOON).toBeTypeOf('number')
    const second = await startNode()
    // Some looks of the second node.
    await new Promise((resolve) => setTimeout(resolve, 10 * LOOK_EVERY_MS))
    expect(second.runner.pid).toBeUndefined()
    await first.keeper.stop()
    expect(first.runner.pid).toBeUndefined()
    await expect.poll(() => second.runner.pid, SOON).toBeTypeOf('number')
  })

  it('starts bots that end again, with growing pauses', async () => {
    await beginDemoWorld(database.db, 1)
    await moveDemoWorld(database.db, ['writing'], 'running')
    const { lines } = await startNode({ bot: 'broken' })
    const pauses = () => lines.flatMap(({ pauseMs }) => (pauseMs === undefined ? [] : [pauseMs]))
    // A busy machine may have come to the fourth.
    await expect.poll(() => pauses().slice(0, 3), SOON).toEqual([1_000, 2_000, 4_000])
  })

  it('writes no history where players came before an earlier process could', async () => {
    await beginDemoWorld(database.db, 1)
    await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
      values ('ada', 'ada', 'ada', 'ada', 'none', 'none')`.execute(database.db)
    const { runner } = await startNode()
    await expect.poll(readState, SOON).toBe('retired')
    expect(runner.pid).toBeUndefined()
  })

  it('gives up a history that cannot be written', async () => {
    await beginDemoWorld(database.db, 1)
    const { lines, closings } = await startNode({ hasBegun: true })
    await expect.poll(readState, SOON).toBe('retired')
    expect(closings()).toBe(1)
    const failed = lines.filter(({ msg }) => msg === 'the demo world could not be maintained; retrying')
    expect(failed).toHaveLength(3)
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'no demo world is created' }))
  })
})
