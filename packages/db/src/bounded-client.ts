import assert from 'node:assert/strict'
import { sql } from 'kysely'
import pg from 'pg'
import { markFailedConnect } from './unavailable.ts'

/**
 * Matches statements that set or reset the statement timeout. In such statements, the new value is a number in ms or a
 * parameter.
 */
const SETS_TIMEOUT = /^\s*(?:set|reset|select\s+set_config)\b[\s\S]{0,200}?\bstatement_timeout\b/i
const NEW_TIMEOUT = /\bstatement_timeout\b'?\s*(?:=|,|to)\s*'?(?:(\d+)|\$(\d+))'?\s*(?:[,;]|$)/i

/** Matches a query with a mark. Kysely's `modifyFront` puts the mark after `select`. */
const PREPARED_TEXT = /^(?:select )?\/\* prepared \*\//

/**
 * Begin a query with this text, or pass it to `modifyFront`, to prepare the statement. After five executions on a
 * connection, PostgreSQL may use one plan for all parameters. Mark frequent reads whose planning takes longer than
 * their execution. Mark only queries with few different texts, and with columns whose types no migration changes. After
 * a migration of a column's type, a connection would reject the prepared query.
 */
export const PREPARED = sql.raw<unknown>('/* prepared */')

/** Names of prepared statements, by their text. All connections use the same names. */
const preparedNames = new Map<string, string>()

interface TimeoutOptions {
  /** Statement timeout of PostgreSQL in ms, or 0 for no timeout. */
  readonly statementTimeoutMs: number
  /** Extra time for a response after the statement timeout in ms. The extra time allows for delays of the network. */
  readonly answerGraceMs: number
}

/** A connection of a pool whose queries always end in limited time. */
export interface BoundedClient extends pg.Client {
  /** Restores the default timeout. Call `resetTimeout` when the connection returns to the pool. */
  resetTimeout(): void
}

/**
 * Creates a client class that closes its connection if a response takes longer than the statement timeout plus the
 * grace time. The statement timeout alone is not enough, because the server enforces it, and a frozen server or a
 * broken network sends nothing. After such a timeout, the pool drops the client, and pending queries reject as after
 * any broken connection. A longer statement timeout also raises this limit, until the connection returns to the pool.
 * pg's own `query_timeout` is unsuitable, because it is one limit for all queries, and leaves the statement running on
 * a connection that is reused.
 */
export function createBoundedClientClass({
  statementTimeoutMs,
  answerGraceMs,
}: TimeoutOptions): new (
  config?: pg.ClientConfig,
) => BoundedClient {
  return class extends pg.Client implements BoundedClient {
    #timeoutMs = statementTimeoutMs
    #stopTimer = () => {}
    #hasEnded = false

    constructor(config?: pg.ClientConfig) {
      super(config)
      this.on('drain', () => this.#stopTimer())
      this.on('end', () => this.#stopWatching())
    }

    override connect(...[callback]: unknown[]): never {
      // The pool passes a callback, but other callers may not.
      const report = (error: Error | undefined, ...rest: unknown[]) => {
        if (error !== undefined && error !== null) markFailedConnect(error)
        if (typeof callback === 'function') callback(error, ...rest)
      }
      return Reflect.apply(super.connect, this, callback === undefined ? [] : [report]) as never
    }

    override query(...args: unknown[]): never {
      this.#timeoutMs = findTimeout(args, this.#timeoutMs) ?? statementTimeoutMs
      this.#watch()
      // The type `never` fits the return types of all overloads.
      return Reflect.apply(super.query, this, nameIfPrepared(args)) as never
    }

    resetTimeout(): void {
      this.#timeoutMs = statementTimeoutMs
    }

    /** Starts a timer. The timer runs until the event `drain` reports that no query is pending. */
    #watch(): void {
      this.#stopTimer()
      if (this.#hasEnded || this.#timeoutMs === 0) return
      const boundMs = this.#timeoutMs + answerGraceMs
      this.#stopTimer = startResponseTimer(boundMs, () => this.#giveUp(boundMs))
    }

    #giveUp(boundMs: number): void {
      this.#stopWatching()
      this.emit('error', new Error(`PostgreSQL did not respond on a connection for ${boundMs} ms`))
      // Close the connection without waiting, because a query is pending.
      void this.end()
    }

    #stopWatching(): void {
      this.#hasEnded = true
      this.#stopTimer()
    }
  }
}

/**
 * Returns the arguments of `query`. Adds a name if the text is marked, because pg prepares statements that have a name.
 */
function nameIfPrepared(args: readonly unknown[]): readonly unknown[] {
  const [text, values, ...rest] = args
  if (typeof text !== 'string' || !PREPARED_TEXT.test(text)) return args
  const name = preparedNames.get(text) ?? `prepared-${preparedNames.size}`
  preparedNames.set(text, name)
  return [{ name, text, values }, ...rest]
}

/**
 * Returns the statement timeout in ms after this query, or 0 if there is none or if it is unreadable. Null means the
 * default.
 */
function findTimeout([query, values]: readonly unknown[], currentMs: number): number | null {
  const text = getText(query)
  if (text === null || !SETS_TIMEOUT.test(text)) return currentMs
  if (/^\s*reset\b/i.test(text)) return null
  const [, literal, place] = NEW_TIMEOUT.exec(text) ?? []
  const value = place === undefined ? literal : Array.isArray(values) ? values[Number(place) - 1] : undefined
  const ms = Number(value ?? 0)
  return Number.isSafeInteger(ms) ? ms : 0
}

function getText(query: unknown): string | null {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string'
    ? query.text
    : null
}

/** The error if a response takes too long. */
export class TimeoutError extends Error {}

/**
 * Resolves or rejects as `work` does, if that happens within `ms`. After this time, throws `TimeoutError`, and the work
 * continues.
 */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const stop = startResponseTimer(ms, () => reject(new TimeoutError(`not ready within ${ms} ms`)))
  try {
    return await Promise.race([work, timeout])
  } finally {
    stop()
  }
}

/**
 * Calls `onTimeout` after `ms`, unless the timer is stopped before. After this process stalled, Node fires timers
 * before it reads the data that arrived meanwhile. The timer therefore waits twice for half the time, and then until
 * the sockets were read once more. In this way, a response that arrived during a stall still counts.
 */
function startResponseTimer(ms: number, onTimeout: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  let timer = setTimeout(() => {
    timer = setTimeout(() => {
      immediate = setImmediate(onTimeout)
    }, ms / 2)
  }, ms / 2)
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}

/** Type id of `bigint[]`, which is missing in pg's list of types. */
const int8ArrayOid: number = 1016

/** Parses a bigint. Ids and counts are far below 2^53. Throws for a larger value, because it would lose digits. */
function parseInt8(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), `bigint ${text} does not fit a safe integer`)
  return value
}

/**
 * Creates parsers for PostgreSQL's text format. `bigint` becomes a safe integer, `numeric` its exact text,
 * `timestamptz` a Date, and `date` its text, because the time zone would shift a Date. Set these parsers per pool and
 * not globally.
 */
export function createTypeParsers(): pg.TypeOverrides {
  const { builtins } = pg.types
  const parsers = new pg.TypeOverrides()
  const parseTextArray = pg.types.getTypeParser(int8ArrayOid as never, 'text') as (text: string) => (string | null)[]
  parsers.setTypeParser(builtins.INT8, parseInt8)
  parsers.setTypeParser(int8ArrayOid, (text: string) =>
    parseTextArray(text).map((item) => (item === null ? null : parseInt8(item))),
  )
  parsers.setTypeParser(builtins.NUMERIC, (text: string) => text)
  parsers.setTypeParser(builtins.DATE, (text: string) => text)
  return parsers
}

/**
 * Formats a `numeric` column for the API, without trailing zeros. The result equals `new Decimal(numeric).toFixed()`,
 * but is much cheaper, because lists contain thousands of numbers.
 */
export function formatNumeric(numeric: string): string {
  if (!numeric.includes('.')) return numeric
  let end = numeric.length
  while (numeric[end - 1] === '0') end--
  return numeric.slice(0, numeric[end - 1] === '.' ? end - 1 : end)
}
