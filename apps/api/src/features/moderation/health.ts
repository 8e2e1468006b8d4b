import type { Finding } from '@papermoon/contract/admin'
import type { Registry } from 'prom-client'
import type { App } from '../../context.ts'
import { counted, describeAge } from '../../lib/text.ts'

const HOUR_S = 3_600
/** Number of hourly totals that are stored. The totals cover one day, so the first one is a day old. */
const HOURS_STORED = 25
/**
 * Limits above which the health page warns. These limits equal those of the alerts in deploy/observability/alerts.yml.
 */
const FAILED_SHARE_MAX = 0.01
const LAG_SECONDS_MAX = 10
const LAG_BYTES_MAX = 268_435_456
/**
 * Max number of waiting orders that causes no warning. This number is a few batches, so more orders mean a growing
 * queue.
 */
const WAITING_MAX = 1_000

/** Totals that this node has counted since its start. */
interface Totals {
  readonly requests: number
  readonly failed: number
  readonly orders: number
  readonly busy: number
  readonly lost: number
}

/** The totals of each hour of the last day, oldest first. */
const createHours = (): { totals: readonly Totals[] } => ({ totals: [] })

/** Stores the current totals. A job calls this every hour. */
export async function storeTotals({ platform: { metrics }, market: { memory } }: App): Promise<void> {
  const totals = await readTotals(new Figures(metrics))
  const hours = memory.state(createHours)
  hours.totals = [...hours.totals, totals].slice(-HOURS_STORED)
}

/** Describes the health of this node in sentences, based on its metrics. */
export async function readHealth({ platform: { metrics, clock }, market: { memory } }: App): Promise<Finding[]> {
  const figures = new Figures(metrics)
  const nowS = clock.now().getTime() / 1_000
  const day = await readDay(figures, memory.state(createHours).totals)
  return await Promise.all([
    describeBooks(figures, nowS),
    describeDatabase(figures),
    describeReplication(figures),
    describeBackups(figures, nowS),
    describeOrders(figures, day),
    describeErrors(day),
  ])
}

interface Figure {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly metricName?: string
}

class Figures {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Returns the values of a metric for every label. Returns an empty list if the metric does not exist. */
  async list(name: string): Promise<readonly Figure[]> {
    const found = await this.#registry.getSingleMetric(`papermoon_${name}`)?.get()
    return (found?.values ?? []) as readonly Figure[]
  }

  async read(name: string): Promise<number | null> {
    return (await this.list(name))[0]?.value ?? null
  }
}

const sum = (figures: readonly Figure[]) => figures.reduce((total, { value }) => total + value, 0)
const toFinding = (title: string, isGood: boolean, note: string): Finding => ({ title, isGood, note })

async function describeBooks(figures: Figures, nowS: number): Promise<Finding> {
  const [finishedS, differences, everyS] = await Promise.all([
    figures.read('audit_finished_timestamp_seconds'),
    figures.read('audit_differences'),
    figures.read('audit_interval_seconds'),
  ])
  if (finishedS === null || differences === null || everyS === null)
    return toFinding('Books', false, 'No audit is scheduled.')
  if (finishedS === 0) return toFinding('Books', false, 'No audit has run yet.')
  const ageS = nowS - finishedS
  const age = describeAge(ageS / HOUR_S)
  const found =
    differences === 0
      ? `The last audit was ${age} ago and found no differences.`
      : `The last audit was ${age} ago and found ${counted(differences, 'difference')}.`
  const isLate = ageS > 2 * everyS
  const late = isLate ? ` An audit is due every ${counted(everyS / HOUR_S, 'hour')}.` : ''
  return toFinding('Books', differences === 0 && !isLate, `${found}${late}`)
}

async function describeDatabase(figures: Figures): Promise<Finding> {
  const title = 'Database'
  if ((await figures.read('database_is_up')) !== 1) return toFinding(title, false, 'The database does not respond.')
  if ((await figures.read('database_has_room')) === 0) return toFinding(title, false, 'The database’s disk is full.')
  const isStandby = (await figures.read('database_is_standby')) === 1
  if (isStandby) return toFinding(title, false, 'This server is connected to a standby, which cannot write.')
  return toFinding(title, true, 'The database responds and has free disk space.')
}

async function describeReplication(figures: Figures): Promise<Finding> {
  const title = 'Replication'
  const replicas = await figures.list('database_replicas')
  const streaming = replicas.find(({ labels }) => labels.state === 'streaming')?.value ?? 0
  const others = sum(replicas) - streaming
  if (streaming + others === 0)
    return toFinding(title, true, 'The database has no replica, so only a backup can restore it.')
  const seconds = await findMost(figures, 'database_replication_lag_seconds')
  const bytes = await findMost(figures, 'database_replication_lag_bytes')
  const waiting = others === 0 ? '' : ` Replicas that are not up to date yet: ${others}.`
  const isGood = others === 0 && seconds <= LAG_SECONDS_MAX && bytes <= LAG_BYTES_MAX
  return toFinding(
    title,
    isGood,
    `Connected replicas: ${streaming}, at most ${counted(Math.round(seconds), 'second')} behind.${waiting}`,
  )
}

async function findMost(figures: Figures, name: string): Promise<number> {
  return Math.max(0, ...(await figures.list(name)).map(({ value }) => value))
}

async function describeBackups(figures: Figures, nowS: number): Promise<Finding> {
  const title = 'Backups'
  const [takenS, everyS, differences, isKeeping] = await Promise.all([
    figures.read('backup_taken_timestamp_seconds'),
    figures.read('backup_interval_seconds'),
    figures.read('backup_differences'),
    figures.read('backup_is_keeping'),
  ])
  if (takenS === null || everyS === null)
    return toFinding(title, false, 'There are no backups, because BACKUP_TO is not set.')
  if (isKeeping !== 1)
    return toFinding(title, true, 'Another node takes the backups. If that node fails, this node takes over.')
  if (takenS === 0) return toFinding(title, false, 'There is no backup yet. The first one is on its way.')
  const ageS = nowS - takenS
  const isLate = ageS > 2 * everyS
  const late = isLate ? ` A backup is due every ${counted(everyS / HOUR_S, 'hour')}.` : ''
  const wrong = differences !== null && differences > 0
  const audit = wrong ? ` Its audit found ${counted(differences, 'difference')}.` : ''
  return toFinding(title, !isLate && !wrong, `The last backup is ${describeAge(ageS / HOUR_S)} old.${audit}${late}`)
}

async function readTotals(figures: Figures): Promise<Totals> {
  const answered = (await figures.list('http_request_duration_seconds')).filter(({ metricName = '' }) =>
    metricName.endsWith('_count'),
  )
  const orders = await figures.list('engine_orders_total')
  const countOutcome = (outcome: string) => sum(orders.filter(({ labels }) => labels.outcome === outcome))
  return {
    requests: sum(answered),
    failed: sum(answered.filter(({ labels }) => Number(labels.status) >= 500)),
    orders: sum(orders),
    busy: countOutcome('BUSY'),
    lost: countOutcome('OUTCOME_UNKNOWN'),
  }
}

interface Day extends Totals {
  readonly since: string
}

async function readDay(figures: Figures, kept: readonly Totals[]): Promise<Day> {
  const now = await readTotals(figures)
  const [then] = kept
  if (then === undefined || kept.length < HOURS_STORED)
    return { ...now, since: `since this node started ${describeAge(process.uptime() / HOUR_S)} ago` }
  return {
    requests: now.requests - then.requests,
    failed: now.failed - then.failed,
    orders: now.orders - then.orders,
    busy: now.busy - then.busy,
    lost: now.lost - then.lost,
    since: 'on this node in the last 24 hours',
  }
}

async function describeOrders(figures: Figures, { orders, busy, since }: Day): Promise<Finding> {
  const waiting = (await figures.read('engine_waiting_orders')) ?? 0
  const refused = `Rejected because the queue was full: ${busy} of ${counted(orders, 'order')}`
  const isGood = waiting <= WAITING_MAX && busy <= orders * FAILED_SHARE_MAX
  return toFinding('Orders', isGood, `Orders in the queue: ${waiting}. ${refused} ${since}.`)
}

function describeErrors({ requests, failed, lost, since }: Day): Finding {
  const unknown = lost === 0 ? '' : ` Orders with an unknown outcome: ${lost}.`
  const note = `Failed: ${failed} of ${counted(requests, 'request')} ${since}.${unknown}`
  return toFinding('Errors', failed <= requests * FAILED_SHARE_MAX && lost === 0, note)
}
