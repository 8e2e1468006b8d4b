import type { Character } from '@papermoon/bots'
import { BOT_BACKOFF, toPauseMs } from '../lib/backoff.ts'
import type { Trader } from '../orders/trader.ts'

/** Without a failure for this long, a bot counts as sound again. */
const SOUND_MS = 10 * 60_000

/** A bot of the house: who it is, its account, and how often it broke lately. */
export class Bot {
  readonly trader: Trader
  readonly character: Character
  #failures = 0
  #failedAtMs = Number.NEGATIVE_INFINITY

  constructor(trader: Trader, character: Character) {
    this.trader = trader
    this.character = character
  }

  get name(): string {
    return this.trader.name
  }

  get userId(): number {
    return this.trader.account.userId
  }

  /** Counts a failure; returns for how many ms the bot is to rest: longer each time. */
  fail(nowMs: number, random: number): number {
    if (nowMs - this.#failedAtMs > SOUND_MS) this.#failures = 0
    this.#failedAtMs = nowMs
    return toPauseMs(BOT_BACKOFF, this.#failures++, random)
  }
}
