import type pg from 'pg'
import type { AppPart } from '../context.ts'
import { SoleTask } from '../database/take-lock.ts'
import { type PeriodicJob, startPeriodicJob } from '../lib/periodic-job.ts'
import { runChild } from '../lib/run-child.ts'
import { type DemoWorld, findDemoWorld, hasPlayers, moveDemoWorld } from './demo-world.ts'
import type { WorkingBots } from './working-bots.ts'

const CHECK_EVERY_MS = 2_000

/** Max time for writing the history on a slow machine, in ms. */
const DEADLINE_MS = 3_600_000

/** Time between two checks of the bots' money, in ms. */
const PAY_EVERY_MS = 3_600_000

/** Max number of attempts to write the history. */
const ATTEMPTS_MAX = 3

/** Flags with which the Node process starts. A large young generation halves the time of garbage collection. */
const NODE_FLAGS = ['--max-semi-space-size=64']

/** Max time for writing a history, in ms: ten times what a slow machine needs. */
const WRITE_MAX_MS = 180_000

/** Max length of the stored output, in characters. Only the end of the output is stored. */
const OUTPUT_CHARS_MAX = 4_000

/** Numbers of rows of the history that was written. */
export interface HistoryFigures {
  readonly tokens: number
  readonly trades: number
  readonly bots: number
  readonly seconds: number
}

interface KeeperParts {
  readonly app: AppPart<'db' | 'timers' | 'log' | 'history'>
  readonly pool: pg.Pool
  /** Whether this process created the demo world. */
  readonly hasBegun: boolean
  /** The program that writes the demo world's history. */
  readonly historyCommand: string
  readonly bots: WorkingBots
  onWritten?(figures: HistoryFigures): void
  /** Closes the accounts of the demo world's bots. */
  closeAccounts(): Promise<void>
  /** Grants SOL to bots that have too little SOL left. */
  payBots(): Promise<void>
}

/**
 * Runs the demo world of a database: writes its history, runs the house bots, and retires them. Only one node does so
 * at a time. If this node ends, another one takes over.
 */
export function startDemoKeeper(parts: KeeperParts): PeriodicJob {
  const keeper = new Keeper(parts)
  const { timers, log } = parts.app.platform
  const failed = (error: unknown) => log.warn({ err: error }, 'the demo world could not be maintained; retrying')
  const job = startPeriodicJob({ timers, everyMs: CHECK_EVERY_MS, deadlineMs: DEADLINE_MS, failed }, (stopping) =>
    keeper.look(stopping),
  )
  return {
    ...job,
    stop: async () => {
      await job.stop()
      await keeper.close()
    },
  }
}

class Keeper {
  readonly #parts: KeeperParts
  readonly #task: SoleTask
  #attempts = 0
  #nextPayMs = 0

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#task = new SoleTask(parts.pool, 'demoKeeping')
  }

  async look(stopping: AbortSignal): Promise<void> {
    const { app, bots } = this.#parts
    if (!(await this.#task.isOurs())) return await bots.stop()
    let world = await findDemoWorld(app.platform.db)
    if (world?.state === 'writing') world = await this.#write(stopping)
    if (stopping.aborted) return
    if (world?.state === 'running') await this.#run()
    else if (world?.state === 'retiring') await this.#retire()
    else await bots.stop()
  }

  async close(): Promise<void> {
    await this.#parts.bots.stop()
    this.#task.leave()
  }

  async #write(stopping: AbortSignal): Promise<DemoWorld | null> {
    const { app, hasBegun, historyCommand, onWritten } = this.#parts
    // Give up in this case, because players may have registered or traded during an earlier attempt.
    const isLate = !hasBegun || this.#attempts > 0
    if (isLate && (await hasPlayers(app.platform.db)))
      await this.#giveUp('players came before its history was complete')
    else if (this.#attempts === ATTEMPTS_MAX) await this.#giveUp('its history could not be written')
    else {
      this.#attempts++
      const figures = await runHistoryProcess(historyCommand, stopping)
      onWritten?.(figures)
    }
    await app.market.history.refresh()
    return await findDemoWorld(app.platform.db)
  }

  async #giveUp(reason: string): Promise<void> {
    const { app, closeAccounts } = this.#parts
    app.platform.log.warn({ reason }, 'no demo world is created')
    // The bots' accounts may already exist, although there is no history yet.
    await closeAccounts()
    await moveDemoWorld(app.platform.db, ['writing'], 'retired')
  }

  async #run(): Promise<void> {
    const { app, bots, payBots } = this.#parts
    const nowMs = app.platform.timers.monotonic()
    if (nowMs >= this.#nextPayMs) {
      this.#nextPayMs = nowMs + PAY_EVERY_MS
      await payBots()
    }
    bots.keepWorking()
  }

  async #retire(): Promise<void> {
    const { app, bots, closeAccounts } = this.#parts
    bots.retire()
    if (!bots.hasRetired) return
    await closeAccounts()
    if (await moveDemoWorld(app.platform.db, ['retiring'], 'retired')) app.platform.log.info('the house bots have left')
  }
}

/**
 * Writes the demo world's history in a child process, so that this process can respond to calls meanwhile. If this
 * process ends, the child process ends, too, and nothing is written. The promise rejects if the child process fails.
 */
async function runHistoryProcess(command: string, stopping: AbortSignal): Promise<HistoryFigures> {
  let figures: HistoryFigures | null = null
  const onMessage = (message: unknown) => {
    figures = message as HistoryFigures
  }
  const limits = { flags: NODE_FLAGS, maxMs: WRITE_MAX_MS, outputCharsMax: OUTPUT_CHARS_MAX }
  const { code, output } = await runChild({ command }, { stopping, onMessage, ...limits })
  if (code !== 0 || figures === null) throw new Error(`the history was not written (${code}): ${output}`)
  return figures
}
