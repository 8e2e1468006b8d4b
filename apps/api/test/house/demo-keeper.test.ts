import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { type DemoKeeper, startDemoKeeper } from '../../src/house/demo-keeper.ts'
import { beginDemoWorld, findDemoWorld, moveDemoWorld } from '../../src/house/demo-world.ts'
import { characters, WorkingBots } from '../../src/house/working-bots.ts'
import { createTestServer, type TestServer } from '../support/test-server.ts'

const NOTHING = join(import.meta.dirname, 'no-such-file.ts')
const LOOK_EVERY_MS = 100
const SOON = { timeout: 120_000, interval: 50 }

interface Node {
  readonly keeper: DemoKeeper
  readonly bots: WorkingBots
  /** How often accounts were closed. */
  closings(): number
}

let server: TestServer
let nodes: Node[] = []
afterEach(async () => {
  await Promise.all(nodes.map(({ keeper }) => keeper.stop()))
  nodes = []
  await server.close()
})

/** A keeper on the server's database, as another server would have it. */
function startNode({ hasBegun = false } = {}): Node {
  const { app, database } = server
  const bots = new WorkingBots(app)
  let closings = 0
  const closeAccounts = async () => void closings++
  const keeper = startDemoKeeper({
    app,
    pool: database.pool,
    hasBegun,
    historyCommand: NOTHING,
    bots,
    lookEveryMs: LOOK_EVERY_MS,
    closeAccounts,
    payBots: async () => {},
  })
  const node = { keeper, bots, closings: () => closings }
  nodes.push(node)
  return node
}

const readState = async () => (await findDemoWorld(server.db))?.state

describe('the keeper of a demo world', () => {
  it('runs the bots on one node at a time, and on another when that one ends', async () => {
    server = await createTestServer({ hasJobs: true })
    await beginDemoWorld(server.db, 1)
    await moveDemoWorld(server.db, ['writing'], 'running')
    const [character] = characters.values()
    await createHouseBots(server.db, character === undefined ? [] : [character], { at: new Date() })
    const first = startNode()
    await expect.poll(() => first.bots.isWorking, SOON).toBe(true)
    const second = startNode()
    // Some looks of the second node.
    await new Promise((resolve) => setTimeout(resolve, 10 * LOOK_EVERY_MS))
    expect(second.bots.isWorking).toBe(false)
    await first.keeper.stop()
    expect(first.bots.isWorking).toBe(false)
    await expect.poll(() => second.bots.isWorking, SOON).toBe(true)
  })

  it('writes no history where players came before an earlier process could', async () => {
    server = await createTestServer({ hasJobs: true })
    await beginDemoWorld(server.db, 1)
    await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
      values ('ada', 'ada', 'ada', 'ada', 'none', 'none')`.execute(server.db)
    const { bots } = startNode()
    await expect.poll(readState, SOON).toBe('retired')
    expect(bots.isWorking).toBe(false)
  })

  it('gives up a history that cannot be written', async () => {
    server = await createTestServer({ hasJobs: true })
    await beginDemoWorld(server.db, 1)
    const { closings } = startNode({ hasBegun: true })
    await expect.poll(readState, SOON).toBe('retired')
    expect(closings()).toBe(1)
    const failed = server.logs.filter(({ msg }) => msg === 'the demo world could not be maintained; retrying')
    expect(failed).toHaveLength(3)
    expect(server.logs).toContainEqual(expect.objectContaining({ msg: 'no demo world is created' }))
  })
})
