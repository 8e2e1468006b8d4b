import { fork } from 'node:child_process'
import type { App } from '../../../context.ts'
import { waitForChild } from '../../../lib/wait-for-child.ts'
import { type BackupMetrics, createBackupMetrics } from './backup-metrics.ts'
import type { KeeperReport } from './keep-backups.ts'
import { dropSlot } from './slot.ts'

/** A start is not slowed by a backup. */
const FIRST_AFTER_MS = 5_000
const RESTART_MS = 30_000
const HEAP_MAX_MB = 1_024
/** Only the end of its errors is kept. */
const OUTPUT_CHARS_MAX = 4_000

interface Options {
  /** The script of the child process. */
  readonly command: string
  /** Its environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly firstAfterMs?: number
}

type Parts = Pick<App, 'db' | 'log' | 'metrics'> & { readonly config: Pick<App['config'], 'backup' | 'databaseUrl'> }

export interface BackupSchedule {
  stop(): Promise<void>
}

/**
 * Keeps backups in a child process of lowest priority while BACKUP_TO is set. That process makes sure that one node does so at a
 * time, and is started again when it ends.
 */
export function startBackupSchedule(parts: Parts, options: Options): BackupSchedule {
  const { config, db, log } = parts
  if (config.backup.to === null) {
    // Other nodes of one's own database may archive.
    if (config.databaseUrl === null) {
      dropSlot(db).catch((error: unknown) => log.warn({ err: error }, 'a replication slot could not be dropped'))
    }
    return { stop: async () => {} }
  }
  const schedule = new Schedule(parts, options)
  return { stop: () => schedule.stop() }
}

class Schedule {
  readonly #parts: Parts
  readonly #options: Options
  readonly #stopping = new AbortController()
  readonly #metrics: BackupMetrics
  #timer: NodeJS.Timeout
  #running: Promise<void> = Promise.resolve()

  constructor(parts: Parts, options: Options) {
    this.#parts = parts
    this.#options = options
    this.#metrics = createBackupMetrics(parts.metrics, parts.config.backup.everyHours)
    this.#timer = this.#startAfter(options.firstAfterMs ?? FIRST_AFTER_MS)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  #startAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#running = this.#run().finally(() => {
        if (!this.#stopping.signal.aborted) this.#timer = this.#startAfter(RESTART_MS)
      })
    }, ms).unref()
  }

  async #run(): Promise<void> {
    const { command, env } = this.#options
    const child = fork(command, [], {
      ...(env && { env }),
      execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child.on('message', (report) => this.#take(report as KeeperReport))
    const ended = waitForChild(child, { stopping: this.#stopping.signal, outputCharsMax: OUTPUT_CHARS_MAX })
    const { code, output } = await ended.catch((error: unknown) => ({ code: null, output: String(error) }))
    this.#metrics.onEnd(this.#stopping.signal.aborted)
    if (this.#stopping.signal.aborted) return
    this.#parts.log.warn({ code, output }, 'backups are not kept for a moment')
  }

  #take(report: KeeperReport): void {
    const { log } = this.#parts
    this.#metrics.onReport(report)
    if (report.kind === 'taken') {
      const { id, seconds, differences } = report
      if (differences === 0) log.info({ id, seconds }, 'a backup was taken, restored aside and audited')
      else if (differences === null) log.warn({ id, seconds }, 'a backup was taken, but not restored aside')
      else log.error({ id, seconds, differences }, 'the audit of a restored backup found differences')
    } else if (report.kind === 'waiting') log.info('another node keeps the backups')
    else if (report.kind === 'archiving') log.info({ from: report.from }, 'the WAL is archived')
    else if (report.kind === 'removed') log.info({ ids: report.ids }, 'old backups were removed')
    else if (report.kind === 'said') log.warn(report.line)
    else if (report.kind === 'failed') log.error({ why: report.why }, 'a backup could not be taken')
  }
}
