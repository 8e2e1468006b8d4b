import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../src/client.ts'
import { isServerRunning } from '../src/embedded/postmaster-pid.ts'
import { query, start, startElsewhere } from './fixtures/embedded-server.ts'
import { spawnFixture } from './fixtures/spawn-fixture.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

describe('after a kill -9', () => {
  it('of its parent, stops the orphaned server and restarts with all committed data', async () => {
    const dataDir = temporaryFolder()
    const { owner, postgresPid, data } = await startElsewhere(dataDir)
    owner.child.kill('SIGKILL')
    await owner.ended
    expect(isServerRunning(data, postgresPid)).toBe(true)
    const server = await start(dataDir)
    expect(isServerRunning(data, postgresPid)).toBe(false)
    expect(await query(server.address, 'select n from kept')).toEqual([{ n: 7 }])
  })

  it('of both, restarts with all committed data', async () => {
    const dataDir = temporaryFolder()
    const { owner, address, postgresPid } = await startElsewhere(dataDir)
    // A busy backend notices late that its server was killed.
    const busy = query(address, 'select pg_sleep(5)').catch(() => 'cut off')
    await vi.waitUntil(
      async () => (await query(address, `select from pg_stat_activity where wait_event = 'PgSleep'`)).length > 0,
      { timeout: 20_000 },
    )
    process.kill(postgresPid, 'SIGKILL')
    owner.child.kill('SIGKILL')
    await owner.ended
    const server = await start(dataDir)
    expect(await query(server.address, 'select n from kept')).toEqual([{ n: 7 }])
    await busy
  })

  it.each(['short', 'x'.repeat(120)])(
    'of the server alone, restarts it at the same address and reports it (%s)',
    async (name) => {
      const events: unknown[] = []
      const restarted = Promise.withResolvers<void>()
      const server = await start(join(temporaryFolder(), name), {
        onUnexpectedEnd: (event) => events.push(event),
        onRestarted: restarted.resolve,
      })
      const client = connect(server.address)
      onTestFinished(() => client.close())
      await sql`create table kept as select 7 as n`.execute(client.db)
      process.kill(server.pid(), 'SIGKILL')
      await restarted.promise
      expect((await sql`select n from kept`.execute(client.db)).rows).toEqual([{ n: 7 }])
      expect(events).toEqual([{ reason: 'signal SIGKILL', willRestart: true }])
    },
  )

  it('ignores a postmaster.pid whose pid belongs to another process now', async () => {
    const dataDir = temporaryFolder()
    const { owner, postgresPid, data } = await startElsewhere(dataDir)
    process.kill(postgresPid, 'SIGKILL')
    owner.child.kill('SIGKILL')
    await owner.ended
    const file = join(data, 'postmaster.pid')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)))
    const server = await start(dataDir)
    expect(await query(server.address, 'select n from kept')).toEqual([{ n: 7 }])
  })

  it('leaves no socket folder behind', async () => {
    const dataDir = join(temporaryFolder(), 'a-rather-long-name'.repeat(6))
    const { owner, address } = await startElsewhere(dataDir)
    owner.child.kill('SIGKILL')
    await owner.ended
    await start(dataDir)
    expect(existsSync((address as { host: string }).host)).toBe(false)
  })
})

describe('the end of the process', () => {
  it('by Ctrl-C does not stop the server, which responds until it is stopped', async () => {
    const { owner, postgresPid, data } = await startElsewhere(temporaryFolder())
    process.kill(-(owner.child.pid ?? 0), 'SIGINT')
    expect(await owner.line()).toEqual({ afterSignal: [{ alive: 1 }] })
    await owner.ended
    expect(isServerRunning(data, postgresPid)).toBe(false)
  })

  it('without stop() also stops the server', async () => {
    const dataDir = temporaryFolder()
    const owner = spawnFixture('embedded-process.ts', dataDir, 'exit without stop')
    const { postgresPid } = await owner.line()
    await owner.ended
    await vi.waitUntil(() => !isServerRunning(join(dataDir, 'postgres', 'data'), Number(postgresPid)), {
      timeout: 20_000,
    })
  })
})
