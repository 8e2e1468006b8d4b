import type { Locator, Page } from '@playwright/test'

/**
 * Seconds a person takes, by the keystroke-level model (Card, Moran and Newell, 1980): 1.35 s to decide and 1.1 s to
 * point for each tap, 0.28 s for each key.
 */
const TAP_S = 1.35 + 1.1
const KEY_S = 0.28

/** What a person did, and how long it took them. */
export interface Effort {
  readonly taps: number
  readonly keys: number
  /** Time that the page took, s. */
  readonly waitedS: number
  /** `waitedS`, and what a person takes for the taps and keys, s. */
  readonly totalS: number
}

/** Counts what a person does from now on. */
export class EffortCounter {
  readonly #startMs = performance.now()
  #taps = 0
  #keys = 0
  #pausedMs = 0

  countTap(): void {
    this.#taps++
  }

  countKeys(keys: number): void {
    this.#keys += keys
  }

  /** Runs `work` in time that does not count, such as for taking a picture. */
  async pause<T>(work: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    try {
      return await work()
    } finally {
      this.#pausedMs += performance.now() - startMs
    }
  }

  measure(): Effort {
    const waitedS = (performance.now() - this.#startMs - this.#pausedMs) / 1_000
    const [taps, keys] = [this.#taps, this.#keys]
    return { taps, keys, waitedS, totalS: waitedS + taps * TAP_S + keys * KEY_S }
  }
}

/**
 * Uses a page by touch as a person does, and counts. Typing into a field costs the tap that opens the keyboard, even if
 * the page has focused the field. Scrolling is free.
 */
export class Person {
  readonly #page: Page
  readonly #effort = new EffortCounter()

  constructor(page: Page) {
    this.#page = page
  }

  async tap(target: Locator): Promise<void> {
    this.#effort.countTap()
    await target.tap()
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.tap(field)
    this.#effort.countKeys([...text].length)
    await this.#page.keyboard.insertText(text)
  }

  /** What was done since the person came. */
  measure(): Effort {
    return this.#effort.measure()
  }
}

/** Such as `9 taps, 38 keys, 35.0 s (of which the page took 2.4 s)`. */
export function describeEffort({ taps, keys, waitedS, totalS }: Effort): string {
  return `${taps} taps, ${keys} keys, ${totalS.toFixed(1)} s (the page took ${waitedS.toFixed(1)} s of them)`
}
