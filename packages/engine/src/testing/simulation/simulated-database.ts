import { LEASE_MS, type LeaseRow, type LeaseStore } from '../../lead/lease/lease.ts'
import type { Chance } from './chance.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A statement for whose end nobody waits any more. */
export class ConnectionLostError extends Error {}

/** A trade as the books have it. */
export interface BookedTrade {
  readonly id: number
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  readonly requestKey: string
  readonly side: 'buy' | 'sell'
  /** The player's order that it carries out. */
  readonly call: number
}

export interface TokenRow {
  seq: number
  price: number
}

export interface AccountRow {
  version: number
  balance: number
  held: number
}

const START = { price: 10, balance: 6 }
/** PostgreSQL ends a transaction whose client is gone after this long. */
const ORPHAN_MAX_MS = 5_000

/** The books: rows with conditions, locks and a unique key, which is what the guarantees of the market rest on. */
export class SimulatedDatabase {
  readonly #time: VirtualTime
  readonly #chance: Chance
  readonly trades: BookedTrade[] = []
  readonly byKey = new Map<string, BookedTrade>()
  readonly #tokens = new Map<number, TokenRow>()
  readonly #accounts = new Map<number, AccountRow>()
  /** The transaction that holds a row. */
  readonly #locks = new Map<string, object>()
  #lease: { node: string; address: string; term: number; expiresMs: number } | null = null
  /** How far its clock is from the true time. */
  clockErrorMs = 0
  /** Whether nobody can reach it. */
  isAway = false

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time
    this.#chance = chance
  }

  get leader(): string | null {
    const lease = this.#readLease()
    return lease?.node ?? null
  }

  token(id: number): TokenRow {
    return getOrAdd(this.#tokens, id, () => ({ seq: 0, price: START.price }))
  }

  account(id: number): AccountRow {
    return getOrAdd(this.#accounts, id, () => ({ version: 0, balance: START.balance, held: 0 }))
  }

  isLocked(rows: readonly string[], by: object | null): boolean {
    return rows.some((row) => this.#locks.has(row) && this.#locks.get(row) !== by)
  }

  lock(rows: readonly string[], by: object): void {
    for (const row of rows) this.#locks.set(row, by)
  }

  unlock(by: object): void {
    for (const [row, holder] of this.#locks) if (holder === by) this.#locks.delete(row)
  }

  holdsLocks(by: object): boolean {
    return [...this.#locks.values()].includes(by)
  }

  /** The unique key refuses a second trade. */
  insert(trade: Omit<BookedTrade, 'id' | 'seq'>): BookedTrade {
    const key = `${trade.userId}:${trade.requestKey}`
    if (this.byKey.has(key)) throw new Error('the unique key of trades was not looked at')
    const token = this.token(trade.tokenId)
    const account = this.account(trade.userId)
    const sign = trade.side === 'buy' ? 1 : -1
    token.seq++
    token.price += sign
    account.version++
    account.balance -= sign
    account.held += sign
    const booked = { ...trade, id: this.trades.length + 1, seq: token.seq }
    this.trades.push(booked)
    this.byKey.set(key, booked)
    return booked
  }

  connect(process: SimulatedProcess): SimulatedConnection {
    return new SimulatedConnection({ database: this, process, time: this.#time, chance: this.#chance })
  }

  readLease(): LeaseRow | null {
    return this.#readLease()
  }

  takeLease(node: string, address: string): LeaseRow | null {
    const found = this.#readLease()
    if (found !== null && found.node !== node) return null
    const before = this.#lease
    const term = before === null ? 1 : before.term + Number(before.node !== node)
    this.#lease = { node, address, term, expiresMs: this.#clockMs + LEASE_MS }
    return this.#readLease()
  }

  releaseLease(node: string): void {
    if (this.#lease?.node === node) this.#lease.expiresMs = Number.NEGATIVE_INFINITY
  }

  get #clockMs(): number {
    return this.#time.nowMs + this.clockErrorMs
  }

  /** Like the SQL: an expiry further away than any lease was written before the clock was set back. */
  #readLease(): LeaseRow | null {
    const row = this.#lease
    const leftMs = row === null ? 0 : row.expiresMs - this.#clockMs
    if (row === null || leftMs <= 0 || leftMs > LEASE_MS) return null
    const { node, address, term } = row
    return { node, address, term, socket: null, host: 'any', leftMs }
  }
}

interface ConnectionParts {
  readonly database: SimulatedDatabase
  readonly process: SimulatedProcess
  readonly time: VirtualTime
  readonly chance: Chance
}

/** A node's way to the database. What is sent over a cut way waits, unless the node discards its connection meanwhile. */
export class SimulatedConnection {
  readonly #parts: ConnectionParts
  #epoch = 0
  #held: (() => void)[] = []
  #isCut = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  get database(): SimulatedDatabase {
    return this.#parts.database
  }

  cut(): void {
    this.#isCut = true
  }

  heal(): void {
    this.#isCut = false
    for (const go of this.#held.splice(0)) go()
  }

  /** Rejects what is still waiting. What the database has got takes effect nevertheless. */
  discard(): void {
    this.#epoch++
  }

  /** Runs a statement in the database. Rejects with `ConnectionLostError` when the answer will not come. */
  run<T>(statement: () => T, answerMaxMs = 10_000): Promise<T> {
    const { process, database, chance } = this.#parts
    const epoch = this.#epoch
    let cancel = (): void => {}
    const answered = new Promise<T>((resolve, reject) => {
      const fail = (): void => process.arrive(() => reject(new ConnectionLostError()))
      cancel = process.runtime.after(answerMaxMs, () => {
        reject(new ConnectionLostError())
        this.discard()
      })
      this.#travel(() => {
        if (database.isAway || epoch !== this.#epoch) return fail()
        let answer: T
        try {
          answer = statement()
        } catch (error) {
          return process.arrive(() => reject(error))
        }
        if (chance.isOnce(500)) return fail()
        this.#travel(() => (epoch === this.#epoch ? process.arrive(() => resolve(answer)) : fail()))
      })
    })
    // Else it would discard the connection of a later statement.
    return answered.finally(cancel)
  }

  /** Ends a transaction whose client was lost, sooner or later. */
  abandon(transaction: object): void {
    const { time, chance, database } = this.#parts
    time.after(chance.between(0, ORPHAN_MAX_MS), () => database.unlock(transaction))
  }

  #travel(arrive: () => void): void {
    const { time, chance } = this.#parts
    time.after(chance.delayMs(), () => {
      if (this.#isCut) this.#held.push(arrive)
      else arrive()
    })
  }
}

/** The lease of a node over its own connection. */
export class SimulatedLeaseStore implements LeaseStore {
  readonly #connection: SimulatedConnection

  constructor(connection: SimulatedConnection) {
    this.#connection = connection
  }

  async read(): Promise<LeaseRow | null> {
    return await this.#connection.run(() => this.#connection.database.readLease())
  }

  async take(node: string, { address }: { readonly address: string }): Promise<LeaseRow | null> {
    return await this.#connection.run(() => this.#connection.database.takeLease(node, address))
  }

  async release(node: string): Promise<void> {
    await this.#connection.run(() => this.#connection.database.releaseLease(node))
  }

  async recover(): Promise<void> {
    this.#connection.discard()
  }

  async close(): Promise<void> {}
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
