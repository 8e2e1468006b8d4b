import type { Logger } from 'pino'
import type { Runtime } from '../runtime.ts'
import type { LeadAddresses, Leader } from './leader.ts'

export const LEASE_MS = 1_500
const RENEW_MS = 500
/** A slower answer means that the database is away; the lease then ends by itself. */
const ANSWER_MAX_MS = 1_000
/** The row is read this long after it expires. */
const AFTER_EXPIRY_MS = 10

export interface LeaseRow extends Leader {
  /** For how long it is still good, by the database's clock. */
  readonly leftMs: number
}

/** The row of the lease in the database. A method may reject at any time, and may take effect although it rejected. */
export interface LeaseStore {
  /** Null: nobody holds the lease. */
  read(): Promise<LeaseRow | null>
  /** Takes the lease, or renews one's own, unless another node holds it: then null. */
  take(node: string, addresses: LeadAddresses): Promise<LeaseRow | null>
  release(node: string): Promise<void>
  /** After a failure or a late answer: whatever was sent may still take effect, so its connection must not be used again. */
  recover(error: unknown): Promise<void>
  close(): Promise<void>
}

interface LeaseParts {
  readonly store: LeaseStore
  readonly runtime: Runtime
  readonly log: Logger
  /** This node. */
  readonly node: string
  /** Where this node would take orders; null if it must not lead. */
  readonly addresses: LeadAddresses | null
  /** Called when another node leads than before; null: none that is known. */
  onChange(leader: Leader | null): void
}

/**
 * The lease of the leading engine: one row, good for `LEASE_MS` by the database's clock. The leader renews it, and the others take it
 * when it has expired. It decides where orders run first and nothing else: a frozen process may believe for a moment that it leads.
 */
export class Lease {
  readonly #parts: LeaseParts
  #leader: Leader | null = null
  /** End of the lease by the monotonic clock, no later than by the database's. */
  #validUntilMs = 0
  #cancelTurn: () => void = () => {}
  #turn: Promise<void> = Promise.resolve()
  #isAway = false
  #isStopped = false

  constructor(parts: LeaseParts) {
    this.#parts = parts
  }

  /** The leader as of the last turn; null if its lease has ended since. */
  get leader(): Leader | null {
    return this.#parts.runtime.nowMs() < this.#validUntilMs ? this.#leader : null
  }

  get isOwn(): boolean {
    return this.leader?.node === this.#parts.node
  }

  /** Resolves after the first turn, whatever came of it. */
  async start(): Promise<void> {
    await this.#run()
  }

  /** Gives the lead up at once and stops. */
  async stop(): Promise<void> {
    const { store, node } = this.#parts
    this.#isStopped = true
    this.#cancelTurn()
    await this.#turn
    if (this.#leader?.node === node) await this.#ask(() => store.release(node)).catch(() => undefined)
    this.#note(null, 0)
    await store.close()
  }

  async #run(): Promise<void> {
    this.#turn = this.#takeTurn()
    await this.#turn
    if (this.#isStopped) return
    const { runtime } = this.#parts
    // The lease of a dead leader is taken when it expires, not up to half a second later.
    const leftMs =
      this.#leader === null || this.isOwn ? RENEW_MS : this.#validUntilMs + AFTER_EXPIRY_MS - runtime.nowMs()
    const waitMs = Math.max(AFTER_EXPIRY_MS, Math.min(RENEW_MS, leftMs))
    this.#cancelTurn = runtime.after(waitMs, () => void this.#run())
  }

  async #takeTurn(): Promise<void> {
    const { runtime, log } = this.#parts
    const askedMs = runtime.nowMs()
    try {
      const row = await this.#ask(() => this.#readOrTake())
      this.#note(row, row === null ? 0 : askedMs + row.leftMs)
      if (this.#isAway) log.info('the lease of the leading engine can be read again')
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) log.warn({ err: error }, 'the lease of the leading engine could not be read')
      this.#isAway = true
      if (this.leader === null) this.#note(null, 0)
    }
  }

  /** Takes or renews the lease if this node may; else reads it. */
  async #readOrTake(): Promise<LeaseRow | null> {
    const { store, node, addresses } = this.#parts
    const isHeld = this.#leader?.node === node
    const found = isHeld ? null : await store.read()
    if (addresses === null || (found !== null && found.node !== node)) return found
    return (await store.take(node, addresses)) ?? (await store.read())
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    const { runtime, store } = this.#parts
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancel = runtime.after(ANSWER_MAX_MS, () =>
      reject(new Error(`the lease was not answered within ${ANSWER_MAX_MS} ms`)),
    )
    try {
      return await Promise.race([ask(), late])
    } catch (error) {
      await store.recover(error)
      throw error
    } finally {
      cancel()
    }
  }

  #note(row: Leader | null, validUntilMs: number): void {
    const before = this.#leader
    this.#leader = row
    this.#validUntilMs = validUntilMs
    if (before?.term !== row?.term || before?.node !== row?.node) this.#parts.onChange(row)
  }
}
