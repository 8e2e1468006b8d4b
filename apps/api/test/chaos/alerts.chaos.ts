import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { needs, skipLacking } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runAudit } from '../../src/features/audit/run-audit.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { smallDisk } from './faults/disk.ts'
import { newMarket } from './faults/support/market-of-players.ts'
import { type ApiProcess, startApi } from './support/api-process.ts'
import { startKillableServer } from './support/killable-server.ts'
import { startLoad } from './support/load.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'

const RULES = join(import.meta.dirname, '../../../../deploy/observability/alerts.yml')
const METRICS_TOKEN = 'of-the-test-of-alerts'
/** Minutes for which a fault goes on in what Prometheus is shown: longer than any rule waits. */
const FAULT_MIN = 300
const WITHIN = { timeout: 60_000, interval: 500 }
/** Nobody listens there. */
const NOWHERE = '127.0.0.1:1'

type Samples = ReadonlyMap<string, number>

/** What a Prometheus would scrape, by sample; null: the server does not answer. */
async function scrape(url: string): Promise<Samples | null> {
  const asked = fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const answer = await asked.catch(() => null)
  if (answer === null) return null
  expect(answer.status).toBe(200)
  const lines = (await answer.text()).split('\n').filter((line) => /^\w/.test(line))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

/** The alerts that fire where a server goes on as between two scrapes, by promtool. */
function findFiring(before: Samples, after: Samples | null): string[] {
  const nowS = Date.now() / 1_000
  const finite = [...(after ?? [])].filter(([, value]) => Number.isFinite(value))
  const input_series = finite.map(([series, value]) => {
    // promtool's time begins with 0.
    if (series.includes('_timestamp_seconds')) return { series, values: `${value && value - nowS}x${FAULT_MIN}` }
    if (!/_(total|count|sum|bucket)\b/.test(series)) return { series, values: `${value}x${FAULT_MIN}` }
    return { series, values: `0+${Math.max(0, value - (before.get(series) ?? 0))}x${FAULT_MIN}` }
  })
  input_series.push({ series: 'up{job="papermoon"}', values: `${Number(after !== null)}x${FAULT_MIN}` })
  const rules = parse(readFileSync(RULES, 'utf8')).groups.flatMap(({ rules: of }: { rules: { alert: string }[] }) => of)
  const alert_rule_test = rules.map(({ alert }: { alert: string }) => ({
    eval_time: `${FAULT_MIN}m`,
    alertname: alert,
    exp_alerts: [],
  }))
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-alerts-'))
  try {
    const file = join(folder, 'test.yml')
    const tests = [{ interval: '1m', input_series, alert_rule_test }]
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
    const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    expect(`${stdout}${stderr}`).toMatch(/SUCCESS|exp:\[\]/)
    // None is expected, so it names those that fire.
    return [...new Set([...`${stdout}${stderr}`.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name))].sort()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Each fault is made on a real server, whose real metrics are shown to the rules. */
describe('alerts', { ...needs('promtool', hasPromtool), timeout: 240_000 }, () => {
  let postgres: OwnPostgres
  let dataDir: string
  let api: ApiProcess
  let healthy: Samples
  beforeAll(async () => {
    if (!hasPromtool) return
    postgres = await startOwnPostgres()
    dataDir = makeDataFolder()
    const settings = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, METRICS_TOKEN }
    const failing = { SMTP_URL: `smtp://${NOWHERE}`, BACKUP_TO: '/proc/nowhere', BACKUP_EVERY_HOURS: '1' }
    api = await startApi({ ...settings, ...failing, AUDIT_EVERY_HOURS: '1' })
    healthy = (await scrape(api.url)) ?? new Map()
  }, 240_000)
  afterAll(async () => {
    await api?.end('SIGTERM')
    await postgres?.remove()
    if (dataDir !== undefined) removeDataFolder(dataDir)
  }, 120_000)

  const firing = async (before: Samples = healthy) => findFiring(before, await scrape(api.url))

  it('none of a server that is well; audit and backup that never come', async () => {
    const found = await firing()
    const never = ['PapermoonAuditOverdue', 'PapermoonBackupOld', 'PapermoonBackupsNotKept']
    expect(found).toEqual(expect.arrayContaining(never))
    for (const name of ['Down', 'DatabaseAway', 'DiskFull', 'OrdersBusy', 'Errors', 'AuditWrong', 'MailFails'])
      expect(found).not.toContain(`Papermoon${name}`)
  })

  it('mail that cannot be sent', async () => {
    const body = JSON.stringify({
      username: 'ada',
      email: 'ada@example.org',
      wallet: 'none',
      password: 'moon over moss',
    })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${api.url}/api/auth/register`, { method: 'POST', headers, body })
    const forgotten = { method: 'POST', headers, body: JSON.stringify({ email: 'ada@example.org' }) }
    expect((await fetch(`${api.url}/api/auth/forgot-password`, forgotten)).status).toBe(200)
    await expect.poll(() => firing(), WITHIN).toContain('PapermoonMailFails')
  })

  it('an audit that finds differences', async () => {
    await newMarket(api.url, 1, 1)
    const database = postgres.openDatabase()
    try {
      await sql`update accounts set sol_balance = sol_balance + 1`.execute(database.db)
      expect((await runAudit(database)).differences).toBeGreaterThan(0)
      await expect.poll(() => firing(), WITHIN).toContain('PapermoonAuditWrong')
      await sql`update accounts set sol_balance = sol_balance - 1`.execute(database.db)
    } finally {
      await database.close()
    }
  })

  it.each(['killed', 'frozen'] as const)('PostgreSQL %s', async (absence) => {
    const { players, tokens } = await newMarket(api.url, 2, 1)
    const load = startLoad({ players, tokens, lanes: 2, prefix: absence })
    await load.until(10)
    const before = (await scrape(api.url)) ?? new Map()
    if (absence === 'killed') await postgres.kill()
    else postgres.freeze()
    try {
      const wanted = [
        'PapermoonDatabaseAway',
        ...(absence === 'killed' ? ['PapermoonOrdersBusy', 'PapermoonErrors'] : []),
      ]
      await expect.poll(() => firing(before), WITHIN).toEqual(expect.arrayContaining(wanted))
      // It is more than a minute before what the feed lacks counts as stuck.
      if (absence === 'killed') {
        await sleep(60_000)
        await expect.poll(() => firing(before), WITHIN).toContain('PapermoonFeedStuck')
      }
    } finally {
      if (absence === 'killed') await postgres.start()
      else postgres.thaw()
    }
    await load.stop()
  })

  it('a full disk', async (context) => {
    const disk = smallDisk()
    if (disk === null) return skipLacking(context, 'the right to mount a disk (root on Linux)')
    const server = await startKillableServer(disk.folder, { METRICS_TOKEN })
    try {
      const before = (await scrape(server.url)) ?? new Map()
      expect(findFiring(before, before)).not.toContain('PapermoonDiskFull')
      disk.fill()
      const wanted = ['PapermoonDiskFills', 'PapermoonDiskFull']
      const found = async () => findFiring(before, await scrape(server.url))
      await expect.poll(found, WITHIN).toEqual(expect.arrayContaining(wanted))
      disk.free()
      await expect.poll(found, WITHIN).not.toContain('PapermoonDiskFull')
    } finally {
      await server.remove()
      disk.remove()
    }
  })

  it('a server that is gone', async () => {
    await api.end('SIGKILL')
    expect(await firing()).toEqual(['PapermoonDown'])
  })
})
