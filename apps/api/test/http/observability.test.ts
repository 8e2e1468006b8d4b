import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@papermoon/db'
import { createTestDatabase, needs, skipLacking } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { registerReplicationMetrics } from '../../src/database/replication-metrics.ts'
import { connectReplica } from '../support/replica-connection.ts'
import { createTestServer, type TestServer } from '../support/test-server.ts'
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const FOLDER = join(ROOT, 'deploy/observability')
/** Labels that Prometheus adds to every sample, or a histogram to every bucket. */
const ALWAYS = ['instance', 'job', 'le']
const MESSAGE_BYTES = 16 * 1_048_576
const WITHIN = { timeout: WAIT_MAX_MS, interval: 100 }

let collector: TraceCollector
let server: TestServer

beforeAll(async () => {
  collector = await startTraceCollector()
  const database = await createTestDatabase()
  // Without BACKUP_TO in its environment, the process that keeps backups exits.
  server = await createTestServer({
    hasJobs: true,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      BACKUP_TO: '/nowhere',
      REDIS_URL: 'redis://127.0.0.1:1',
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
    database,
  })
  // The server's process does the same.
  collectDefaultMetrics({ register: server.app.platform.metrics })
  const player = await server.player('observer')
  const tokenId = await player.launch()
  await player.post('/api/tokens/buy', { tokenId, solAmount: '1' })
})
afterAll(async () => {
  await server?.close()
  await collector?.close()
})

async function scrape(): Promise<string> {
  return await server.app.platform.metrics.metrics()
}

/** Returns the value of a sample, given its name and labels as in the metrics. */
async function read(sample: string): Promise<number> {
  return find(await scrape(), sample)
}

function find(metrics: string, sample: string): number {
  const line = metrics.split('\n').find((text) => text.startsWith(`${sample} `))
  return line === undefined ? Number.NaN : Number(line.slice(sample.length + 1))
}

interface Expression {
  readonly where: string
  readonly text: string
}

function listAlerts(): { readonly alert: string; readonly expr: string }[] {
  return parse(readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')).groups.flatMap(({ rules }: { rules: [] }) => rules)
}

function listExpressions(): Expression[] {
  const dashboard = JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8'))
  const panels: Expression[] = dashboard.panels.flatMap(
    ({ title, targets = [] }: { title: string; targets?: { expr: string; legendFormat: string }[] }) =>
      targets.map(({ expr }) => ({ where: `panel ${title}`, text: expr })),
  )
  const variables: Expression[] = dashboard.templating.list.flatMap(
    ({ name, query }: { name: string; query: string | { query: string } }) =>
      typeof query === 'string' ? [] : [{ where: `variable ${name}`, text: query.query }],
  )
  const alerts = listAlerts().map(({ alert, expr }) => ({ where: `alert ${alert}`, text: expr }))
  return [...panels, ...variables, ...alerts]
}

/** Returns the metrics of an expression, with the labels that it selects by. */
function listSelectors(text: string): { name: string; labels: { name: string; operator: string; value: string }[] }[] {
  return [...text.matchAll(/\b((?:papermoon|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
        ([, label = '', operator = '', value = '']) => ({
          name: label,
          operator,
          value,
        }),
      ),
    }),
  )
}

/** Returns the labels that an expression groups by. */
function listGroupings(text: string): string[] {
  const groups = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(','))
  return groups.map((name) => name.trim())
}

/** Returns the label names of each metric, including the samples of histograms. */
function listMetrics(): ReadonlyMap<string, readonly string[]> {
  const registered = server.app.platform.metrics.getMetricsAsArray() as unknown as {
    readonly name: string
    readonly labelNames: readonly string[]
    readonly buckets?: unknown
  }[]
  return new Map(
    registered.flatMap(({ name, labelNames, buckets }) =>
      (buckets === undefined ? [''] : ['_bucket', '_sum', '_count']).map((end) => [name + end, labelNames] as const),
    ),
  )
}

describe('the dashboard and the alert rules', () => {
  it('use metrics and labels that exist on a server', async () => {
    const text = await scrape()
    const metrics = listMetrics()
    const expressions = listExpressions()
    expect(expressions.length).toBeGreaterThan(50)
    const faults = expressions.flatMap(({ where, text: expression }) => {
      const selectors = listSelectors(expression)
      const known = selectors.flatMap(({ name }) => metrics.get(name) ?? [])
      return [
        ...selectors.filter(({ name }) => !metrics.has(name)).map(({ name }) => `${where}: no metric ${name}`),
        ...selectors.flatMap(({ name, labels }) =>
          labels
            .filter((label) => ![...ALWAYS, ...(metrics.get(name) ?? [])].includes(label.name))
            .map((label) => `${where}: ${name} has no label ${label.name}`),
        ),
        // A value in an expression must exist from the start, because otherwise an alert never fires.
        ...selectors.flatMap(({ name, labels }) =>
          labels
            .filter(
              ({ name: label, operator, value }) => operator === '=' && !isTold(text, name, `${label}="${value}"`),
            )
            .map(({ name: label, value }) => `${where}: ${name} never has ${label}="${value}"`),
        ),
        ...listGroupings(expression)
          .filter((label) => ![...ALWAYS, ...known].includes(label))
          .map((label) => `${where}: nothing to group by ${label}`),
      ]
    })
    expect(faults).toEqual([])
  })

  it('show labels in legends that their panels keep', () => {
    const { panels } = JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8'))
    const faults = panels.flatMap(
      ({ title, targets = [] }: { title: string; targets?: { expr: string; legendFormat: string }[] }) =>
        targets.flatMap(({ expr, legendFormat }) => {
          const kept = /\bby \(/.test(expr) ? listGroupings(expr) : ['instance']
          const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
          return shown.filter((name) => !kept.includes(name)).map((name) => `${title}: ${name}`)
        }),
    )
    expect(faults).toEqual([])
  })

  it('use all of our metrics', () => {
    const used = new Set(listExpressions().flatMap(({ text }) => listSelectors(text).map(({ name }) => name)))
    const own = (server.app.platform.metrics.getMetricsAsArray() as unknown as { readonly name: string }[]).filter(
      ({ name }) => name.startsWith('papermoon_') && !/_(page_cache|pages)_/.test(name),
    )
    const isUsed = ({ name }: { name: string }) => ['', '_bucket', '_sum', '_count'].some((end) => used.has(name + end))
    expect(own.filter((metric) => !isUsed(metric)).map(({ name }) => name)).toEqual([])
  })

  it('have a row each in the operator’s page', () => {
    const page = readFileSync(join(ROOT, 'docs/operations/observe.md'), 'utf8')
    const alerts = listAlerts().map(({ alert }) => alert)
    expect(alerts.filter((alert) => !page.includes(`| ${alert} |`))).toEqual([])
    expect([...page.matchAll(/^\| (Papermoon\w+) \|/gm)].map(([, name]) => name).sort()).toEqual(alerts.sort())
  })
})

function isTold(text: string, name: string, label: string): boolean {
  return text.split('\n').some((line) => line.startsWith(`${name}{`) && line.includes(label))
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

describe('promtool', needs('promtool', hasPromtool), () => {
  it('accepts the rules and the example configuration, and the rules’ tests pass', () => {
    const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' })
    expect(promtool('check', 'rules', 'alerts.yml')).toContain(`SUCCESS: ${listAlerts().length} rules found`)
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS')
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
  })

  it('has tests in which every alert fires', () => {
    const tests = readFileSync(join(FOLDER, 'alerts.test.yml'), 'utf8')
    const fired = new Set([...tests.matchAll(/alertname: (\w+)\n +exp_alerts:\n/g)].map(([, name]) => name))
    expect(listAlerts().filter(({ alert }) => !fired.has(alert))).toEqual([])
  })

  it('accepts every expression of the dashboard', () => {
    const rules = listExpressions()
      .filter(({ where }) => where.startsWith('panel'))
      .map(({ text }, i) => {
        const expr = text.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
        return { record: `panel_${i}`, expr }
      })
    const folder = mkdtempSync(join(tmpdir(), 'papermoon-rules-'))
    try {
      // Promtool reads YAML, and JSON is valid YAML.
      writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      const { status, stderr } = spawnSync('promtool', ['check', 'rules', 'rules.yml'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect([status, stderr]).toEqual([0, ''])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('metrics of the engine and the feed', () => {
  it('count the orders, their batches and their waiting times', async () => {
    expect(await read('papermoon_engine_orders_total{outcome="done"}')).toBe(2)
    expect(await read('papermoon_engine_batch_orders_sum')).toBe(2)
    expect(await read('papermoon_engine_queue_seconds_count')).toBe(2)
    expect(await read('papermoon_engine_commit_seconds_count')).toBe(2)
    expect(await read('papermoon_engine_commit_seconds_sum')).toBeGreaterThan(0)
    expect(await read('papermoon_engine_waiting_orders')).toBe(0)
  })

  it('count rejected orders by their code', async () => {
    const player = await server.player('refused')
    await player.post('/api/tokens/buy', { tokenId: 1, solAmount: '1000000' })
    expect(await read('papermoon_engine_orders_total{outcome="INSUFFICIENT_BALANCE"}')).toBe(1)
    expect(await read('papermoon_engine_orders_total{outcome="done"}')).toBe(2)
  })

  it('show how late events are, and that none is missing', async () => {
    expect(await read('papermoon_feed_delay_seconds_count{source="engine"}')).toBe(2)
    expect(await read('papermoon_feed_gaps')).toBe(0)
    await expect.poll(() => read('papermoon_feed_settled_age_seconds'), WITHIN).toBeLessThan(10)
  })
})

describe('metrics of replication', () => {
  it('show that the database is away, and contain no further samples', async () => {
    const registry = new Registry()
    const nowhere = connect({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' })
    registerReplicationMetrics(registry, { db: nowhere.db, log: pino({ level: 'silent' }) })
    const samples = (await registry.metrics()).split('\n').filter((line) => /^papermoon/.test(line))
    expect(samples).toEqual(['papermoon_database_is_up 0'])
    await nowhere.close()
  })

  const lag = '{replica="moon-standby"}'

  it('show how much log a replica has not applied', async (context) => {
    if (!(await mayReplicate())) skipLacking(context, 'a database user that may replicate')
    expect(await read('papermoon_database_is_standby')).toBe(0)
    const readLag = () => read(`papermoon_database_replication_lag_bytes${lag}`)
    const replica = await connectReplica(server.database.connectionString, 'moon-standby')
    /** Returns whether the lag matches the log's end, which moves between two reads, because other tests write too. */
    const isLagFrom = async (applied: number) => {
      const metrics = await scrape()
      const seen = find(metrics, `papermoon_database_replication_lag_bytes${lag}`) + applied
      return find(metrics, 'papermoon_database_wal_bytes') <= seen && seen <= toBytes(await readLogEnd())
    }
    const applyAll = async () => {
      const end = await readLogEnd()
      replica.apply(end)
      return await isLagFrom(toBytes(end))
    }
    try {
      await expect.poll(applyAll, WITHIN).toBe(true)
      expect(await read('papermoon_database_replicas{state="streaming"}')).toBeGreaterThan(0)
      const end = await readLogEnd()
      replica.apply(end)
      await sql`select pg_logical_emit_message(false, 'test', repeat('x', ${MESSAGE_BYTES}::int))`.execute(server.db)
      await expect.poll(readLag, WITHIN).toBeGreaterThan(MESSAGE_BYTES)
      await expect.poll(() => isLagFrom(toBytes(end)), WITHIN).toBe(true)
      expect(await read(`papermoon_database_replication_lag_seconds${lag}`)).toBeGreaterThanOrEqual(0)
    } finally {
      await replica.close()
    }
    await expect.poll(readLag, WITHIN).toBeNaN()
  })
})

async function mayReplicate(): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select rolreplication or rolsuper as may from pg_roles where rolname = current_user`.execute(server.db)
  return rows[0]?.may === true
}

async function readLogEnd(): Promise<string> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(server.db)
  return rows[0]?.lsn ?? ''
}

/** Converts a log position to bytes since the beginning of the log. */
function toBytes(lsn: string): number {
  const [high = '0', low = '0'] = lsn.split('/').map((part) => Number.parseInt(part, 16))
  return Number(high) * 2 ** 32 + Number(low)
}
