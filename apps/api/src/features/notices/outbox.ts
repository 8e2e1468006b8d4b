import { type Db, withTimeout } from '@papermoon/db'
import { type RawBuilder, sql } from 'kysely'
import type { App, AppPart } from '../../context.ts'
import { registerGauge } from '../../lib/gauge.ts'

/**
 * Time between a delivery and the next check for due messages, in ms. After this time, the limits may allow more
 * messages, and the receiver may get its next message.
 */
const NEXT_LOOK_MS = 110
/**
 * Pause after the first failure in ms. Each failure doubles the pause, up to the longest pause. The pause varies
 * randomly by up to a quarter.
 */
const FIRST_PAUSE_MS = 5_000
/** Min pause that a receiver can request, in ms. */
const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 2 * 3_600_000
const SPREAD = 0.25
const ERROR_CHARS_MAX = 300
/** Max time to read a metric in ms. A scrape must not wait for an unresponsive database. */
const FIGURE_MAX_MS = 2_000

/** Messages of one kind in the outbox. */
export interface OutboxChannel<Message> {
  /** Name of the channel that appears in the log. */
  readonly name: string
  /** Takes as many due messages as the limits allow. If this node dies, another node can take the messages later. */
  take(underWay: readonly Message[], stopping: AbortSignal): AsyncIterable<Message>
  /** Delivers a message and records the result. If the signal is aborted, another node delivers the message. */
  deliver(message: Message, stopping: AbortSignal): Promise<void>
  close(): void
}

/** Delivers messages from the outbox. Several nodes can do this on one database at once. */
export class Delivery<Message> {
  readonly #channel: OutboxChannel<Message>
  readonly #timers: App['platform']['timers']
  readonly #log: Pick<App['platform']['log'], 'warn'>
  readonly #stopping = new AbortController()
  readonly #calls = new Map<Promise<void>, Message>()
  #looking: Promise<void> | null = null
  #cancelNextLook: (() => void) | undefined
  #looksAgain = false

  constructor(channel: OutboxChannel<Message>, { timers, log }: Pick<App['platform'], 'timers' | 'log'>) {
    this.#channel = channel
    this.#timers = timers
    this.#log = log
  }

  /** Starts all due deliveries that the limits allow. Returns without waiting for the receivers' responses. */
  async deliverDue(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    await this.#looking
  }

  /** Ends the deliveries that are running. Other nodes then deliver the messages of these deliveries. */
  async close(): Promise<void> {
    this.#stopping.abort()
    this.#cancelNextLook?.()
    await this.#looking?.catch(() => undefined)
    await Promise.all(this.#calls.keys())
    this.#channel.close()
  }

  async #look(): Promise<void> {
    const { signal } = this.#stopping
    if (signal.aborted) return
    for await (const message of this.#channel.take([...this.#calls.values()], signal)) {
      // If the call fails, the message becomes due again later.
      const call = this.#channel
        .deliver(message, signal)
        .catch(this.#warn)
        .finally(() => {
          this.#calls.delete(call)
          this.#lookSoon()
        })
      this.#calls.set(call, message)
    }
  }

  #lookSoon(): void {
    this.#looksAgain = this.#cancelNextLook !== undefined
    if (this.#looksAgain || this.#stopping.signal.aborted) return
    this.#cancelNextLook = this.#timers.after(NEXT_LOOK_MS, () => {
      this.#cancelNextLook = undefined
      this.deliverDue().catch(this.#warn)
      if (this.#looksAgain) this.#lookSoon()
    })
  }

  readonly #warn = (error: unknown): void => {
    this.#log.warn({ err: error }, `${this.#channel.name} could not be processed; retrying`)
  }
}

/** Registers a metric about the outbox, computed from the messages that a condition selects. */
export function registerFigure(
  { platform: { db, metrics } }: AppPart<'db' | 'metrics'>,
  { name, help, figure }: { readonly name: string; readonly help: string; readonly figure: RawBuilder<unknown> },
): void {
  registerGauge(metrics, name, help, async () => {
    const query = sql<{ figure: number }>`select (${figure})::float8 as figure from outbox`.execute(db)
    const { rows } = await withTimeout(query, FIGURE_MAX_MS).catch(() => ({ rows: [{ figure: Number.NaN }] }))
    return rows[0]?.figure ?? 0
  })
}

/** Removes a message that was delivered or is no longer needed. */
export async function removeMessage(db: Db, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute()
}

/** Lets another node deliver the message at once, because this node stops before it gets a response. */
export async function handBackMessage(db: Db, id: number): Promise<void> {
  await sql`update outbox set due_at = clock_timestamp(), attempts = attempts - 1 where id = ${id}`.execute(db)
}

/** A failed attempt: its number, counted from 1, and the delay that the receiver asked for. */
interface FailedTry {
  readonly id: number
  readonly attempt: number
  readonly error: string
  readonly retryAfterMs: number | null
}

/** Schedules a message for a later attempt. */
export async function postponeMessage(db: Db, { id, attempt, error, retryAfterMs }: FailedTry): Promise<void> {
  const pauseMs = computePause(attempt, retryAfterMs)
  await sql`
    update outbox set due_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond',
           last_error = ${error.slice(0, ERROR_CHARS_MAX)}
     where id = ${id}`.execute(db)
}

/**
 * Returns how long to wait after an attempt, in ms: the requested delay within limits, otherwise a delay that grows
 * with each attempt. The first attempt has the number 1.
 */
export function computePause(attempt: number, retryAfterMs: number | null, random = Math.random()): number {
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 20), LONGEST_PAUSE_MS)
  return Math.min(pause * (1 - SPREAD + 2 * SPREAD * random), LONGEST_PAUSE_MS)
}

/** Parses the header `Retry-After` to ms. Returns null for a date, which these receivers do not send. */
export function parseRetryAfter(text: string | null): number | null {
  return /^\d{1,5}(\.\d{1,6})?$/.test(text ?? '') ? Number(text) * 1_000 : null
}
