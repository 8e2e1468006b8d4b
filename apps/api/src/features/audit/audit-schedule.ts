import { type ChildProcess, fork } from 'node:child_process'
import type { App } from '../../context.ts'
import { isAuditDue } from './audit-due.ts'

/** Delay of the first check, so that a replay does not slow a start. */
const FIRST_AFTER_MS = 5 * 60_000
/** Time between checks; also the delay before a failed replay is retried. */
const LOOK_EVERY_MS = 3_600_000
/** More than a hundred million trades take. */
const REPLAY_MAX_MS = 4 * 3_600_000
/** Time for a replay to end after SIGTERM. */
const GOODBYE_MS = 2_000
const HEAP_MAX_MB = 1_024
/** Only the end of the output is kept, which has the findings. */
const OUTPUT_CHARS_MAX = 20_000
const EXIT_DIFFERENCES = 1

interface Options {
  /** The script of the child process. */
  readonly command: string
  /** Its environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly firstAfterMs?: number
  readonly lookEveryMs?: number
}

type Parts = Pick<App, 'db' | 'log'> & { readonly config: Pick<App['config'], 'auditEveryHours'> }

/** Handle to the scheduled replays. */
export interface AuditSchedule {
  /** Ends a running replay; resolves when it has ended. */
  stop(): Promise<void>
}

/**
 * Replays the whole journal every `auditEveryHours` in a child process of lowest priority, so that trading does not
 * wait for it. That process makes sure that only one node replays at a time. Does nothing if the setting is 0.
 */
export function startAuditSchedule(parts: Parts, options: Options): AuditSchedule {
  if (parts.config.auditEveryHours === 0) return { stop: async () => {} }
  const schedule = new Schedule(parts, options)
  return { stop: () => schedule.stop() }
}

class Schedule {
  readonly #parts: Parts
  readonly #options: Options
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout
  #look: Promise<void> = Promise.resolve()

  constructor(parts: Parts, options: Options) {
    this.#parts = parts
    this.#options = options
    this.#timer = this.#after(options.firstAfterMs ?? FIRST_AFTER_MS)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#look
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#look = this.#replayIfDue()
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'the journal is not replayed for now'))
        .finally(() => {
          if (!this.#stopping.signal.aborted) this.#timer = this.#after(this.#options.lookEveryMs ?? LOOK_EVERY_MS)
        })
    }, ms).unref()
  }

  async #replayIfDue(): Promise<void> {
    const { db, config } = this.#parts
    if (!(await isAuditDue(db, config.auditEveryHours)) || this.#stopping.signal.aborted) return
    const { command, env } = this.#options
    const child = fork(command, [], {
      ...(env && { env }),
      execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#report(await ended(child, this.#stopping.signal))
  }

  #report({ code, output }: ReplayEnd): void {
    if (this.#stopping.signal.aborted) return
    const { log } = this.#parts
    if (code === 0) log.info({ output }, 'the journal was replayed')
    else if (code === EXIT_DIFFERENCES) log.error({ output }, 'a replay of the journal found differences')
    else log.warn({ output, code }, 'the journal could not be replayed')
  }
}

interface ReplayEnd {
  readonly code: number | null
  readonly output: string
}

/** Waits for a child process; ends it after REPLAY_MAX_MS or on `stopping`. */
async function ended(child: ChildProcess, stopping: AbortSignal): Promise<ReplayEnd> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output = `${output}${data}`.slice(-OUTPUT_CHARS_MAX)
    })
  }
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GOODBYE_MS).unref()
  }
  const timer = setTimeout(end, REPLAY_MAX_MS).unref()
  stopping.addEventListener('abort', end, { once: true })
  try {
    return await new Promise<ReplayEnd>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, output }))
    })
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  }
}
