import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const PROGRAM = join(import.meta.dirname, 'bot-process.ts')

export interface BotProgram {
  /** Path of the packed client's module. */
  readonly client: string
  readonly url: string
  readonly apiKey: string
  readonly tokenId: number
  readonly orders: number
}

/** An order as the bot knows it. */
export interface Fill {
  readonly key: string
  readonly seq: number
  readonly side: string
  readonly solAmount: string
  readonly tokenAmount: string
}

/** What the bot prints, a JSON object a line. */
export type BotLine =
  | { readonly type: 'known'; readonly count: number }
  | { readonly type: 'answered'; readonly key: string; readonly isReplayed: boolean }
  | { readonly type: 'finished'; readonly fills: readonly Fill[] }

/** One process of the bot. */
export class BotLife {
  /** Keys of the orders whose answers it got. */
  readonly answered = new Set<string>()
  /** Answers that said they were repeats. */
  replayed = 0
  #hasBegun = false
  /** Set once all that it printed was read. */
  #isOver = false
  #known = 0
  #fills: readonly Fill[] | null = null
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #wake = () => {}

  constructor({ client, url, apiKey, tokenId, orders }: BotProgram) {
    this.#child = spawn(process.execPath, [PROGRAM, client, url, String(tokenId), String(orders)], {
      env: { PATH: process.env.PATH, PAPERMOON_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#ended = once(this.#child, 'close').then(() => {
      this.#isOver = true
      this.#wake()
    })
    if (this.#child.stdout === null) throw new Error('a bot without output')
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(JSON.parse(line) as BotLine))
  }

  /** Resolves when it knows so many fills, from the list or from answers. Throws if it ends before. */
  async untilKnown(count: number): Promise<void> {
    await this.#until(() => this.#hasBegun && this.#known + this.answered.size >= count)
  }

  async kill(afterMs: number): Promise<void> {
    await sleep(afterMs)
    this.#child.kill('SIGKILL')
    await this.#ended
    if (this.#child.signalCode !== 'SIGKILL') throw new Error('The bot ended before it was killed.')
  }

  /** Resolves to all fills that it knows at its end. */
  async finish(): Promise<readonly Fill[]> {
    await this.#until(() => this.#fills !== null)
    await this.#ended
    return this.#fills ?? []
  }

  #read(line: BotLine): void {
    if (line.type === 'known') {
      this.#hasBegun = true
      this.#known = line.count
    } else if (line.type === 'answered') {
      this.answered.add(line.key)
      if (line.isReplayed) this.replayed++
    } else this.#fills = line.fills
    this.#wake()
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      if (this.#isOver) throw new Error(`The bot ended with ${this.#child.exitCode}.`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
