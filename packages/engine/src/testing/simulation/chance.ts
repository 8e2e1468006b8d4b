/** Random numbers that a seed repeats (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  }

  /** From 0 to below 1. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  between(min: number, max: number): number {
    return min + (max - min) * this.next()
  }

  /** An integer from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  isOnce(inCount: number): boolean {
    return this.below(inCount) === 0
  }

  /** Usually short, sometimes a hundred times as long, as networks are. */
  delayMs(): number {
    return this.isOnce(50) ? this.between(5, 150) : this.between(0.1, 2)
  }
}
