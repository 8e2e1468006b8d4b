import { sql } from 'kysely'
import { Gauge, type Histogram } from 'prom-client'
import { expect, it } from 'vitest'
import { createBackupMetrics } from '../../src/features/backup/backup-keeper.ts'
import { storeTotals } from '../../src/features/moderation/health.ts'
import { moderator } from '../support/moderators.ts'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer({ hasJobs: false })
const boss = await moderator(server, 'boss', 'operator')

interface Finding {
  readonly title: string
  readonly note: string
  readonly isGood: boolean
}

/** Returns the page's finding about `title`. Figures are cached for two seconds, so let them expire. */
async function find(title: string): Promise<readonly [isGood: boolean, note: string]> {
  server.passTime(3_000)
  const answer = await boss.query('admin.health')
  const findings: Finding[] = answer.json().result.data.json
  const found = findings.find((one) => one.title === title)
  if (found === undefined) throw new Error(answer.body)
  return [found.isGood, found.note]
}

const audit = (hoursAgo: number, differences: number) =>
  sql`
  insert into audits (started_at, finished_at, trades, tokens, players, differences)
  select at, at, 1, 1, 1, ${differences} from (select now() - make_interval(hours => ${hoursAgo}) as at) a`.execute(
    server.db,
  )

/** Counts a request as failed with this status. */
function observeFailure(status: number): void {
  const durations = server.app.platform.metrics.getSingleMetric('papermoon_http_request_duration_seconds')
  ;(durations as Histogram<'method' | 'route' | 'status'>).observe({ method: 'GET', route: '/api', status }, 0.1)
}

const hoursAgo = (hours: number) => server.app.platform.clock.now().getTime() / 1_000 - hours * 3_600

it('shows whether the books are exact, by the last audit', async () => {
  expect(await find('Books')).toEqual([false, 'No audit has run yet.'])
  await audit(72, 0)
  expect(await find('Books')).toEqual([
    false,
    'The last audit was 3 days ago and found no differences. An audit is due every 24 hours.',
  ])
  await audit(3, 0)
  expect(await find('Books')).toEqual([true, 'The last audit was 3 hours ago and found no differences.'])
  await audit(0, 2)
  expect(await find('Books')).toEqual([false, 'The last audit was less than an hour ago and found 2 differences.'])
})

it('shows how old the last backup is', async () => {
  expect(await find('Backups')).toEqual([false, 'There are no backups, because BACKUP_TO is not set.'])
  const { onReport } = createBackupMetrics(server.app.platform.metrics, 24)
  expect((await find('Backups'))[1]).toContain('Another node takes the backups.')
  onReport({ gauges: { is_keeping: 1 } } as never)
  expect(await find('Backups')).toEqual([false, 'There is no backup yet. The first one is on its way.'])
  onReport({ gauges: { taken_timestamp_seconds: hoursAgo(5) } } as never)
  expect(await find('Backups')).toEqual([true, 'The last backup is 5 hours old.'])
  onReport({ gauges: { taken_timestamp_seconds: hoursAgo(49), differences: 1 } } as never)
  expect(await find('Backups')).toEqual([
    false,
    'The last backup is 2 days old. Its audit found 1 difference. A backup is due every 24 hours.',
  ])
})

it('shows the state of the database, its replicas, the queue and the responses', async () => {
  expect(await find('Database')).toEqual([true, 'The database responds and has free disk space.'])
  expect(await find('Replication')).toEqual([true, 'The database has no replica, so only a backup can restore it.'])
  await boss.launch()
  expect(await find('Orders')).toEqual([
    true,
    expect.stringMatching(
      /^Orders in the queue: 0\. Rejected because the queue was full: 0 of 1 order since this node started .+ ago\.$/,
    ),
  ])
  const [isGood, note] = await find('Errors')
  expect([isGood, note]).toEqual([true, expect.stringMatching(/^Failed: 0 of \d+ requests since this node started /)])
})

it('shows that replicas are late, orders wait, and requests fail', async () => {
  const { metrics } = server.app.platform
  for (const name of ['database_replicas', 'database_replication_lag_seconds', 'engine_waiting_orders'])
    metrics.removeSingleMetric(`papermoon_${name}`)
  const gauge = (name: string, label: string) =>
    new Gauge({ name: `papermoon_${name}`, help: name, labelNames: [label], registers: [metrics] })
  const replicas = gauge('database_replicas', 'state')
  const lag = gauge('database_replication_lag_seconds', 'replica')
  replicas.set({ state: 'streaming' }, 1)
  lag.set({ replica: 'two' }, 1)
  expect(await find('Replication')).toEqual([true, 'Connected replicas: 1, at most 1 second behind.'])
  replicas.set({ state: 'catchup' }, 1)
  lag.set({ replica: 'two' }, 12)
  expect(await find('Replication')).toEqual([
    false,
    'Connected replicas: 1, at most 12 seconds behind. Replicas that are not up to date yet: 1.',
  ])
  gauge('engine_waiting_orders', 'none').set(1_001)
  expect(await find('Orders')).toEqual([false, expect.stringContaining('Orders in the queue: 1001.')])
  for (let count = 0; count < 50; count++) observeFailure(500)
  expect(await find('Errors')).toEqual([false, expect.stringMatching(/^Failed: 50 of \d+ requests since/)])
})

it('forgets failures after a day, hour by hour', async () => {
  for (let hour = 0; hour < 24; hour++) await storeTotals(server.app)
  expect((await find('Errors'))[1]).toMatch(/^Failed: 50 of \d+ requests since this node started/)
  await storeTotals(server.app)
  observeFailure(503)
  expect((await find('Errors'))[1]).toMatch(/^Failed: 1 of \d+ requests on this node in the last 24 hours\.$/)
  expect((await find('Orders'))[1]).toMatch(/: 0 of 0 orders on this node in the last 24 hours\.$/)
  for (let hour = 0; hour < 25; hour++) await storeTotals(server.app)
  expect(await find('Errors')).toEqual([
    true,
    expect.stringMatching(/^Failed: 0 of \d+ requests on this node in the last 24 hours\.$/),
  ])
})
