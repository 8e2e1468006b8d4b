import { join } from 'node:path'
import { ManualTimers } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { startDemoKeeper } from '../../src/house/demo-keeper.ts'
import { beginDemoWorld, findDemoWorld, moveDemoWorld } from '../../src/house/demo-world.ts'
import { characters, WorkingBots } from '../../src/house/working-bots.ts'
import type { PeriodicJob } from '../../src/lib/periodic-job.ts'
import { createTestServer, type TestServer } from '../support/test-server.ts'

const NOTHING = join(import.meta.dirname, 'no-such-file.ts')

interface Node {
  readonly keeper: PeriodicJob
  readonly bots: WorkingBots
  /** Number of times that accounts were closed. */
  closings(): number
}

let server: TestServer
let nodes: Node[] = []
afterEach(async () => {
  await Promise.all(nodes.map(({ keeper }) => keeper.stop()))
  nodes = []
  await server.close()
})

/**
 * Starts a keeper on the server's database, like that of another server. It has checked once; call its `run` for the
 * next check.
 */
async function startNode({ hasBegun = false } = {}): Promise<Node> {
  const { database } = server
  const app = { ...server.app, platform: { ...server.app.platform, timers: new ManualTimers() } }
  const bots = new WorkingBots(app)
  let closings = 0
  const closeAccounts = async () => void closings++
  const keeper = startDemoKeeper({
    app,
    pool: database.pool,
    hasBegun,
    historyCommand: NOTHING,
    bots,
    closeAccounts,
    payBots: async () => {},
  })
  const node = { keeper, bots, closings: () => closings }
  nodes.push(node)
  await keeper.run()
  return node
}

const readState = async () => (await findDemoWorld(server.db))?.state

describe('the keeper of a demo world', () => {
  it('runs the bots on one node at a time, and on another when that node stops', async () => {
    server = await createTestServer()
    await beginDemoWorld(server.db, 1)
    await moveDemoWorld(server.db, ['writing'], 'running')
    const [character] = characters.values()
    await createHouseBots(server.db, character === undefined ? [] : [character], { at: new Date() })
    const first = await startNode()
    expect(first.bots.isWorking).toBe(true)
    const second = await startNode()
    await second.keeper.run()
    expect(second.bots.isWorking).toBe(false)
    await first.keeper.stop()
    expect(first.bots.isWorking).toBe(false)
    // The lock ends with its connection, which the database notices a little later.
    while (!second.bots.isWorking) await second.keeper.run()
  })

  it('writes no history if players came before an earlier process could write it', async () => {
    server = await createTestServer()
    await beginDemoWorld(server.db, 1)
    await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
      values ('ada', 'ada', 'ada', 'ada', 'none', 'none')`.execute(server.db)
    const { bots } = await startNode()
    expect(await readState()).toBe('retired')
    expect(bots.isWorking).toBe(false)
  })

  it('stops trying if a history cannot be written', async () => {
    server = await createTestServer()
    await beginDemoWorld(server.db, 1)
    const { keeper, closings } = await startNode({ hasBegun: true })
    for (let looks = 1; looks < 4; looks++) await keeper.run()
    expect([await readState(), closings()]).toEqual(['retired', 1])
    const failed = server.logs.filter(({ msg }) => msg === 'the demo world could not be maintained; retrying')
    expect(failed).toHaveLength(3)
    expect(server.logs).toContainEqual(expect.objectContaining({ msg: 'no demo world is created' }))
  })
})
