// @module-tag nightly
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache } from '@papermoon/db/testing'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { whileLocked } from '../../src/database/take-lock.ts'
import { isAuditDue, replayIfDue, runAudit } from '../../src/features/audit/run-audit.ts'
import { runProgram } from '../support/run-command.ts'

const COMMAND = join(import.meta.dirname, '../../src/commands/scheduled-audit.ts')
const HOUR_MS = 3_600_000
/** The limit is long because the child process has the lowest priority, which makes it slow on a busy machine. */
const PROCESS_MAX_MS = 300_000
const TEST_MAX_MS = 3 * PROCESS_MAX_MS

let market: TestMarket
const open: { stop(): Promise<void> }[] = []
beforeEach(async () => {
  market = await createTestMarket()
  const player = await market.addPlayer()
  await market.launch(player, '1')
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((schedule) => schedule.stop()))
  await market.close()
})

const audits = () => market.db.selectFrom('audits').selectAll().execute()

/** Returns a node that checks whether a replay is due, and the node's log. */
function startNode({ everyHours = 24, command = COMMAND } = {}) {
  const logged: { readonly level: number; readonly msg: string; readonly output?: string }[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const parts = { platform: { db: market.db, log, config: { auditEveryHours: everyHours } } }
  const env = { PATH: process.env.PATH, ...compileCache, DATABASE_URL: market.connectionString }
  const stopping = new AbortController()
  const replay = replayIfDue(parts, { command, env }, stopping.signal)
  const stop = async () => {
    stopping.abort()
    await replay
  }
  open.push({ stop })
  const said = () => expect.poll(() => logged.map(({ msg }) => msg), { timeout: PROCESS_MAX_MS })
  return { stop, logged, said }
}

describe('a scheduled replay', { timeout: TEST_MAX_MS }, () => {
  it('runs in its own process and is recorded; with the setting 0 it never runs', async () => {
    const never = startNode({ everyHours: 0 })
    await startNode().said().toEqual(['the journal was replayed'])
    expect(await audits()).toMatchObject([{ trades: 1, tokens: 1, players: 1, differences: 0, last_trade_id: 2 }])
    expect(never.logged).toEqual([])
  })

  it('runs once, even if several nodes find it due at the same time', async () => {
    const env = { DATABASE_URL: market.connectionString }
    const ends = await Promise.all([1, 2].map(() => runProgram([COMMAND], env)))
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(await audits()).toHaveLength(1)
  })

  it('prevents other replays while it runs', async () => {
    const replay = (work = async () => {}) => whileLocked(market.pool, 'auditReplay', work)
    const [began, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = replay(async () => {
      began.resolve()
      await ends.promise
    })
    await began.promise
    expect(await replay()).toBeNull()
    ends.resolve()
    expect(await first).not.toBeNull()
    // The lock ends with its connection, which the database notices a little later.
    await expect.poll(() => replay(), { timeout: PROCESS_MAX_MS }).not.toBeNull()
  })

  it('is due if the last one is old enough, or if there was none', async () => {
    const isDueIn = (hours: number) => isAuditDue(market.db, 24, new Date(Date.now() + hours * HOUR_MS))
    expect(await isAuditDue(market.db, 24)).toBe(true)
    await runAudit(market)
    expect([await isAuditDue(market.db, 24), await isDueIn(23), await isDueIn(25)]).toEqual([false, false, true])
  })

  it('is due even if a wrong clock dated the last one in the future', async () => {
    await runAudit(market)
    await sql`update audits set finished_at = now() + interval '30 days'`.execute(market.db)
    expect(await isAuditDue(market.db, 24)).toBe(true)
  })

  it('reports differences to the operator', async () => {
    await sql`update trades set fee = fee + 0.000000001`.execute(market.db)
    const node = startNode()
    await node.said().toEqual(['a replay of the journal found differences'])
    expect(node.logged[0]).toMatchObject({ level: 50, output: expect.stringContaining('trade 1: fee is') })
    expect(await audits()).toMatchObject([{ differences: 2 }])
  })

  it('ends with the server even if it ignores signals', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'papermoon-replay-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const [command, pidFile] = [join(folder, 'stubborn.mjs'), join(folder, 'pid')]
    await writeFile(
      command,
      `import { writeFileSync } from 'node:fs'
      process.on('SIGTERM', () => {})
      setInterval(() => {}, 1_000)
      writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))`,
    )
    const node = startNode({ command })
    const pid = () => readFile(pidFile, 'utf8').catch(() => '')
    await expect.poll(pid, { timeout: PROCESS_MAX_MS }).toMatch(/^\d+$/)
    await node.stop()
    const alive = Number(await pid())
    expect(() => process.kill(alive, 0)).toThrow('ESRCH')
    expect(node.logged).toEqual([])
  })
})
