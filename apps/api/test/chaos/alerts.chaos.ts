import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs, skipLacking } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runAudit } from '../../src/features/audit/run-audit.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { connectReplica } from '../support/replica-connection.ts'
import { type ApiProcess, startApi } from './support/api-process.ts'
import { startKillableServer } from './support/killable-server.ts'
import { startLoad } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { mountSmallDisk } from './support/small-disk.ts'

const RULES = join(import.meta.dirname, '../../../../deploy/observability/alerts.yml')
const METRICS_TOKEN = 'of-the-test-of-alerts'
/** Only keeps a test from hanging: Prometheus waits ten seconds, and a loaded machine may take longer. */
const SCRAPE_MAX_MS = 60_000
/** Minutes for which a fault goes on in what Prometheus is shown: longer than any rule waits. */
const FAULT_MIN = 300
const WITHIN = { timeout: 60_000, interval: 500 }
const LONG = { timeout: 150_000, interval: 500 }
/** An alert may take as long as `LONG` to be seen, and the database is away until then. */
const AWAY_MAX_MS = 240_000
/** Of a small disk; a new database takes 40. */
const DISK_MB = 160
/** Nobody listens there. */
const NOWHERE = '127.0.0.1:1'

type Samples = ReadonlyMap<string, number>

/** What a Prometheus would scrape, by sample; null: the server does not answer. */
async function scrape(url: string): Promise<Samples | null> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const asked = fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(SCRAPE_MAX_MS) })
  const answer = await asked.catch(() => null)
  if (answer === null) return null
  expect(answer.status).toBe(200)
  const lines = (await answer.text()).split('\n').filter((line) => /^\w/.test(line))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

async function scrapeWell(url: string): Promise<Samples> {
  const samples = await scrape(url)
  if (samples === null) throw new Error('the server does not answer')
  return samples
}

const rules: readonly { readonly alert: string }[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(
  ({ rules: of }: { rules: [] }) => of,
)
/** The alerts that fired in any test. */
const seen = new Set<string>()

/**
 * The alerts that fire where a server goes on as between two scrapes, by promtool. Orders go on meanwhile: a test that stood
 * still would take their answers for lost.
 */
async function findFiring(before: Samples, after: Samples | null): Promise<string[]> {
  const nowS = Date.now() / 1_000
  const finite = [...(after ?? [])].filter(([, value]) => Number.isFinite(value))
  const input_series = finite.map(([series, value]) => {
    // promtool's time begins with 0.
    if (series.includes('_timestamp_seconds')) return { series, values: `${value && value - nowS}x${FAULT_MIN}` }
    if (!/_(total|count|sum|bucket)\b/.test(series))
      return { series, values: `${before.get(series) ?? value} ${value}x${FAULT_MIN}` }
    return { series, values: `0+${Math.max(0, value - (before.get(series) ?? 0))}x${FAULT_MIN}` }
  })
  input_series.push({ series: 'up{job="papermoon"}', values: `${Number(after !== null)}x${FAULT_MIN}` })
  const alert_rule_test = rules.map(({ alert }) => ({
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
    const said = await new Promise<string>((resolve) => {
      execFile('promtool', ['test', 'rules', file], (_, stdout, stderr) => resolve(`${stdout}${stderr}`))
    })
    expect(said).toMatch(/SUCCESS|exp:\[\]/)
    // None is expected, so it names those that fire.
    const firing = [...said.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name)
    for (const name of firing) seen.add(name)
    return [...new Set(firing)].sort()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Each fault is made on a real server, whose real metrics are shown to the rules. */
describe('alerts', { ...needs('promtool', hasPromtool), timeout: 600_000 }, () => {
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
    healthy = await scrapeWell(api.url)
  }, 240_000)
  afterAll(async () => {
    await api?.end('SIGTERM')
    await postgres?.remove()
    if (dataDir !== undefined) removeDataFolder(dataDir)
  }, 120_000)

  const firing = async (before: Samples = healthy) => await findFiring(before, await scrape(api.url))

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

  it.each([
    ['killed', ['DatabaseAway', 'OrdersBusy', 'Errors', 'FeedStuck']],
    ['frozen', ['DatabaseAway']],
  ] as const)('PostgreSQL %s', async (absence, names) => {
    const { players, tokens } = await newMarket(api.url, 2, 1)
    const load = startLoad({ players, tokens, lanes: 2, prefix: absence, giveUpMs: AWAY_MAX_MS })
    await load.until(10)
    const before = await scrapeWell(api.url)
    if (absence === 'killed') await postgres.kill()
    else postgres.freeze()
    try {
      expect(await firing(before)).not.toContain('PapermoonDown')
      // It is more than a minute before what the feed lacks counts as stuck.
      for (const name of names) await expect.poll(() => firing(before), LONG).toContain(`Papermoon${name}`)
    } finally {
      if (absence === 'killed') await postgres.start()
      else postgres.thaw()
      // Also where an alert did not fire: the next test begins with a market at rest.
      await load.stop()
    }
  })

  it('replicas that are behind, and then gone', async () => {
    const database = postgres.openDatabase()
    const replica = await connectReplica(postgres.url, 'standby')
    try {
      const { rows } = await sql<{ end: string }>`select pg_current_wal_lsn()::text as end`.execute(database.db)
      replica.apply(rows[0]?.end ?? '')
      for (let megabytes = 0; megabytes < 300; megabytes += 100)
        await sql`select pg_logical_emit_message(false, 'test', repeat('x', 100000000))`.execute(database.db)
      await expect.poll(() => firing(), WITHIN).toContain('PapermoonReplicaBehind')
    } finally {
      await database.close()
    }
    const followed = await scrapeWell(api.url)
    await replica.close()
    await expect.poll(() => firing(followed), WITHIN).toContain('PapermoonReplicaLost')
  })

  it('a node that reaches no Redis, S3 or collector', async () => {
    const folder = makeDataFolder()
    const s3 = { S3_URL: `http://key:secret@${NOWHERE}/papermoon` }
    const others = { REDIS_URL: `redis://${NOWHERE}`, OTEL_EXPORTER_OTLP_ENDPOINT: `http://${NOWHERE}`, ...s3 }
    const second = await startApi({ DATABASE_URL: postgres.url, DATA_DIR: folder, METRICS_TOKEN, ...others })
    try {
      const before = await scrapeWell(second.url)
      const { players } = await newMarket(second.url, 1, 1)
      const headers = { 'content-type': 'application/json', cookie: players[0]?.cookie ?? '' }
      const upload = await fetch(`${second.url}/api/objects/upload`, { method: 'POST', headers, body: '{}' })
      expect(upload.status).toBe(503)
      const wanted = ['RedisAway', 'StorageFails', 'TracesLost'].map((name) => `Papermoon${name}`)
      const found = async () => await findFiring(before, await scrape(second.url))
      await expect.poll(found, LONG).toEqual(expect.arrayContaining(wanted))
    } finally {
      await second.end('SIGTERM')
      removeDataFolder(folder)
    }
  })

  it('a full disk', async (context) => {
    const disk = mountSmallDisk(DISK_MB)
    if (disk === null) return skipLacking(context, 'the right to mount a disk (root on Linux)')
    const server = await startKillableServer(disk.folder, { METRICS_TOKEN })
    try {
      const before = await scrapeWell(server.url)
      expect(await findFiring(before, before)).not.toContain('PapermoonDiskFull')
      disk.fill()
      const wanted = ['PapermoonDiskFills', 'PapermoonDiskFull']
      const found = async () => await findFiring(before, await scrape(server.url))
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

  it('every rule has fired, here or in alerts.test.yml', () => {
    const tests = readFileSync(join(RULES, '../alerts.test.yml'), 'utf8')
    for (const [, name = ''] of tests.matchAll(/alertname: (\w+)\n +exp_alerts:/g)) seen.add(name)
    expect(rules.map(({ alert }) => alert).filter((alert) => !seen.has(alert))).toEqual([])
  })
})
