/**
 * Returns a text's 32-bit hash: FNV-1a with the finalizer of MurmurHash3. Because of the finalizer, similar texts give
 * unrelated numbers.
 */
export function hashText(text: string, salt = 0): number {
  let hash = 0x811c9dc5 ^ salt
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return mixBits(hash)
}

/** Spreads a number over all 32 bits, with the finalizer of MurmurHash3. */
function mixBits(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A repeatable source of random numbers. Every draw changes the source's state, but `fork` does not. */
export interface Random {
  /** Draws a uniform number in [0, 1). */
  next(): number
  /** Draws a uniform number in [`from`, `to`). */
  uniform(from: number, to: number): number
  /** Draws a uniform whole number in [0, `below`). */
  int(below: number): number
  chance(probability: number): boolean
  /** Draws a standard normal number, by the polar method of Marsaglia and Bray (1964). */
  normal(): number
  /** Draws a log-normal number, given its median and the standard deviation of its logarithm. */
  logNormal(median: number, sigma: number): number
  /** Draws a Pareto number of at least `least`, with P(X > x) = (least / x)^exponent. */
  pareto(least: number, exponent: number): number
  exponential(mean: number): number
  /** Picks one of the items with equal probability. Throws RangeError if the list is empty. */
  pick<T>(items: readonly T[]): T
  /** Returns an independent source, which depends on this source's seed and the label, but not on earlier draws. */
  fork(label: string): Random
}

/** Creates a repeatable source: the same seed gives the same numbers on every machine. */
export function createRandom(seed: number | string): Random {
  return new Sfc32(String(seed))
}

const UINT32 = 4_294_967_296
/** Number of rounds that mix the initial state of sfc32, as its author recommends. */
const WARM_UP = 12

/**
 * The generator sfc32 from PractRand (Chris Doty-Humphrey): 128 bits of state, and a few integer operations per number.
 */
class Sfc32 implements Random {
  readonly #seed: string
  #a: number
  #b: number
  #c: number
  #counter = 1
  /** The second number of the polar method, which the next draw returns, or NaN if there is none. */
  #spareNormal = Number.NaN

  constructor(seed: string) {
    this.#seed = seed
    this.#a = hashText(seed, 0x9e3779b9)
    this.#b = hashText(seed, 0x243f6a88)
    this.#c = hashText(seed, 0xb7e15162)
    for (let round = 0; round < WARM_UP; round++) this.next()
  }

  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / UINT32
  }

  uniform(from: number, to: number): number {
    return from + (to - from) * this.next()
  }

  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  normal(): number {
    if (!Number.isNaN(this.#spareNormal)) {
      const spare = this.#spareNormal
      this.#spareNormal = Number.NaN
      return spare
    }
    for (;;) {
      const x = this.uniform(-1, 1)
      const y = this.uniform(-1, 1)
      const square = x * x + y * y
      if (square === 0 || square >= 1) continue
      const factor = Math.sqrt((-2 * Math.log(square)) / square)
      this.#spareNormal = y * factor
      return x * factor
    }
  }

  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal())
  }

  pareto(least: number, exponent: number): number {
    return least * (1 - this.next()) ** (-1 / exponent)
  }

  exponential(mean: number): number {
    return -mean * Math.log1p(-this.next())
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('There is nothing to pick from.')
    return items[this.int(items.length)] as T
  }

  fork(label: string): Random {
    return new Sfc32(`${this.#seed}/${label}`)
  }
}
