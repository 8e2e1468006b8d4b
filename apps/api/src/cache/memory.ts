import type { Timers } from '@papermoon/engine'
import { LRUCache } from 'lru-cache'

/** Max estimated size of all cached values of a market, in kB. */
const SIZE_MAX_KB = 65_536

/**
 * A kind of value that features cache, and an estimate of one value's size. Keys of different kinds do not collide,
 * because the kind's name is part of the key.
 */
export interface CachedKind<Value> {
  readonly name: string
  sizeKb(value: Value): number
}

interface CachedValue {
  // The type is unknown here, because it depends on the kind in the cache key.
  readonly value: unknown
  readonly startMs: number
  /** Time at which the value expires, in ms. The expiry time is undefined while a read is pending. */
  readonly endMs?: number
  readonly sizeKb: number
}

/** How long callers share a cached value, in ms from the start of its read. */
interface Sharing {
  /** If `freshMs` is 0, callers do not share even a pending read. */
  readonly freshMs: number
  /** The value of a slow read is reused for this multiple of the read's duration (default 0). */
  readonly restFactor?: number
}

/**
 * Data that features store in memory on this node for one market. Cached values share one limit, and the least recently
 * used are removed first. States stay in memory until the process ends.
 */
export class Memory {
  readonly #timers: Pick<Timers, 'monotonic'>
  readonly #values = new LRUCache<string, CachedValue>({
    maxSize: SIZE_MAX_KB,
    sizeCalculation: ({ sizeKb }) => Math.ceil(sizeKb),
  })
  readonly #states = new Map<unknown, unknown>()

  constructor(timers: Pick<Timers, 'monotonic'>) {
    this.#timers = timers
  }

  /** Returns a stored value if the value is younger than `freshMs`. */
  find<Value>(
    { name }: CachedKind<Value>,
    key: string | number,
    freshMs = Number.POSITIVE_INFINITY,
  ): Value | undefined {
    const found = this.#values.get(`${name} ${key}`)
    const isFresh = found !== undefined && this.#timers.monotonic() < found.startMs + freshMs
    return isFresh ? (found.value as Value) : undefined
  }

  store<Value>({ name, sizeKb }: CachedKind<Value>, key: string | number, value: Value): void {
    this.#values.set(`${name} ${key}`, { value, startMs: this.#timers.monotonic(), sizeKb: sizeKb(value) })
  }

  /**
   * Returns the pending or fresh result of an earlier call; otherwise calls `read` and returns its result. Failures are
   * not cached.
   */
  share<Value>(
    { name, sizeKb }: CachedKind<Value>,
    key: string | number,
    { freshMs, restFactor = 0 }: Sharing,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const fullKey = `${name} ${key}`
    const found = this.#values.get(fullKey)
    const startMs = this.#timers.monotonic()
    if (found !== undefined && startMs < getFreshUntil(found, freshMs, restFactor)) {
      return found.value as Promise<Value>
    }
    const value = read()
    const pending: CachedValue = { value, startMs, sizeKb: 1 }
    this.#values.set(fullKey, pending)
    const isCurrent = () => this.#values.peek(fullKey) === pending
    value.then(
      (result) => {
        if (!isCurrent()) return
        this.#values.set(fullKey, { value, startMs, endMs: this.#timers.monotonic(), sizeKb: sizeKb(result) })
      },
      () => {
        if (isCurrent()) this.#values.delete(fullKey)
      },
    )
    return value
  }

  /** Returns the state that the first call with this key created. */
  state<State, Parts extends readonly unknown[]>(create: (...parts: Parts) => State, ...parts: Parts): State {
    const known = this.#states.get(create) as State | undefined
    if (known !== undefined) return known
    const state = create(...parts)
    this.#states.set(create, state)
    return state
  }
}

function getFreshUntil({ startMs, endMs }: CachedValue, freshMs: number, restFactor: number): number {
  if (endMs === undefined) return freshMs === 0 ? startMs : Number.POSITIVE_INFINITY
  return Math.max(startMs + freshMs, endMs + (endMs - startMs) * restFactor)
}
