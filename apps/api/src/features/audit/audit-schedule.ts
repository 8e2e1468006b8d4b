import { fork } from 'node:child_process'
import type { Config } from '../../config.ts'
import type { AppPart } from '../../context.ts'
import { type ChildEnd, waitForChild } from '../../lib/wait-for-child.ts'
import { isAuditDue } from './audit-due.ts'

/** Delay of the first check, so that a replay does not slow a start. */
const FIRST_AFTER_MS = 5 * 60_000
/** Time between checks; also the delay before a failed replay is retried. */
const LOOK_EVERY_MS = 3_600_000
/** More than a hundred million trades take. */
const REPLAY_MAX_MS = 4 * 3_600_000
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

type Parts = AppPart<'db' | 'log'> & { readonly platform: { readonly config: Pick<Config, 'auditEveryHours'> } }

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
  if (parts.platform.config.auditEveryHours === 0) return { stop: async () => {} }
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
        .catch((error: unknown) => this.#parts.platform.log.warn({ err: error }, 'the journal is not replayed for now'))
        .finally(() => {
          if (!this.#stopping.signal.aborted) this.#timer = this.#after(this.#options.lookEveryMs ?? LOOK_EVERY_MS)
        })
    }, ms).unref()
  }

  async #replayIfDue(): Promise<void> {
    const { db, config } = this.#parts.platform
    if (!(await isAuditDue(db, config.auditEveryHours)) || this.#stopping.signal.aborted) return
    const { command, env } = this.#options
    const child = fork(command, [], {
      ...(env && { env }),
      execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const limits = { maxMs: REPLAY_MAX_MS, outputCharsMax: OUTPUT_CHARS_MAX }
    this.#report(await waitForChild(child, { stopping: this.#stopping.signal, ...limits }))
  }

  #report({ code, output }: ChildEnd): void {
    if (this.#stopping.signal.aborted) return
    const { log } = this.#parts.platform
    if (code === 0) log.info({ output }, 'the journal was replayed')
    else if (code === EXIT_DIFFERENCES) log.error({ output }, 'a replay of the journal found differences')
    else log.warn({ output, code }, 'the journal could not be replayed')
  }
}
