import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { AppPart } from '../../context.ts'
import { waitForChild } from '../../lib/wait-for-child.ts'
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
  const { log, config } = parts.platform
  if (config.auditEveryHours === 0) return { stop: async () => {} }
  const { firstAfterMs = FIRST_AFTER_MS, lookEveryMs = LOOK_EVERY_MS } = options
  const stopping = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false })
  const replay = () =>
    replayIfDue(parts, options, stopping.signal).catch((error: unknown) =>
      log.warn({ err: error }, 'the journal is not replayed for now'),
    )
  const running = (async () => {
    for (await pause(firstAfterMs); ; await pause(lookEveryMs)) await replay()
  })().catch(() => {}) // It was stopped.
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function replayIfDue(parts: Parts, { command, env }: Options, stopping: AbortSignal): Promise<void> {
  const { db, config, log } = parts.platform
  if (!(await isAuditDue(db, config.auditEveryHours)) || stopping.aborted) return
  const child = fork(command, [], {
    ...(env && { env }),
    execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const limits = { maxMs: REPLAY_MAX_MS, outputCharsMax: OUTPUT_CHARS_MAX }
  const { code, output } = await waitForChild(child, { stopping, ...limits })
  if (stopping.aborted) return
  if (code === 0) log.info({ output }, 'the journal was replayed')
  else if (code === EXIT_DIFFERENCES) log.error({ output }, 'a replay of the journal found differences')
  else log.warn({ output, code }, 'the journal could not be replayed')
}
