import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { Logger } from 'pino'

/** A bot as the runner takes it. */
export interface RunnerBot {
  readonly name: string
  /** An API key. */
  readonly key: string
  readonly character: object
}

interface RunnerParts {
  readonly log: Logger
  /** The program that runs bots. */
  readonly script: string
  /** The server's own address. */
  readonly url: string
  /** Makes new keys for the bots; earlier ones end. */
  issueBots(): Promise<readonly RunnerBot[]>
}

const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 60_000
/** A process that lived this long begins with the shortest pause again. */
const SOUND_MS = 5 * 60_000
/** Time for a process to end after SIGTERM. */
const GOODBYE_MS = 3_000
/** Only the end of its errors is kept. */
const OUTPUT_CHARS_MAX = 2_000
/** The runner keeps to 80 MB; small heaps are collected more often. */
const HEAP_FLAGS = ['--max-old-space-size=96', '--max-semi-space-size=2', '--optimize-for-size']

/**
 * Runs the bots of the house as a child process, and starts it again with growing pauses. It ends with this process in any
 * case, since its input ends.
 */
export class HouseRunner {
  readonly #parts: RunnerParts
  #child: ChildProcess | null = null
  #ended: Promise<void> = Promise.resolve()
  #startedAtMs = 0
  #nextStartMs = 0
  #failures = 0
  #isStopping = false
  #isRetiring = false
  #hasRetired = false
  #hasNoBots = false

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Whether the bots have sold out after `retire`. */
  get hasRetired(): boolean {
    return this.#hasRetired
  }

  /** Starts the process unless it runs or pauses after a failure. */
  async keepRunning(): Promise<void> {
    if (this.#child !== null || performance.now() < this.#nextStartMs) return
    const bots = await this.#parts.issueBots()
    this.#hasNoBots = bots.length === 0
    if (this.#hasNoBots) return
    this.#start(bots)
  }

  /** Lets the bots sell out and leave; the process ends when they have. */
  async retire(): Promise<void> {
    if (this.#hasRetired) return
    await this.keepRunning()
    if (this.#child === null) this.#hasRetired = this.#hasNoBots
    if (this.#child === null || this.#isRetiring) return
    this.#isRetiring = true
    this.#child.stdin?.write(`${JSON.stringify({ retire: true })}\n`)
  }

  /** Ends the process; resolves when it has ended. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child === null) return
    this.#isStopping = true
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), GOODBYE_MS)
    await this.#ended
    clearTimeout(timer)
    this.#isStopping = false
  }

  #start(bots: readonly RunnerBot[]): void {
    const { script, url } = this.#parts
    const child = spawn(process.execPath, [...HEAP_FLAGS, script], {
      env: toRunnerEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe'],
      // Ctrl-C reaches this process alone, which then ends the bots.
      detached: true,
    })
    let output = ''
    child.stderr.on('data', (data: Buffer) => {
      output = `${output}${data}`.slice(-OUTPUT_CHARS_MAX)
    })
    // A runner that has ended does not read its input.
    child.stdin.on('error', () => {})
    child.stdin.write(`${JSON.stringify({ url, bots, seed: Date.now() % 2 ** 31 })}\n`)
    this.#child = child
    this.#isRetiring = false
    this.#startedAtMs = performance.now()
    this.#ended = new Promise<void>((resolve) => {
      child.once('error', () => resolve())
      child.once('close', () => resolve())
    }).then(() => this.#end(child, output))
  }

  #end(child: ChildProcess, output: string): void {
    this.#child = null
    if (this.#isStopping) return
    if (child.exitCode === 0 && this.#isRetiring) {
      this.#hasRetired = true
      return
    }
    const nowMs = performance.now()
    if (nowMs - this.#startedAtMs > SOUND_MS) this.#failures = 0
    const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** this.#failures++)
    this.#nextStartMs = nowMs + pauseMs
    const { exitCode, signalCode } = child
    this.#parts.log.warn({ code: exitCode ?? signalCode, output, pauseMs }, 'the bots of the house have ended')
  }
}

/**
 * Not this process's environment, which holds secrets. The cache of compiled modules saves the runner the compiler of
 * TypeScript, some 20 MB.
 */
function toRunnerEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}
