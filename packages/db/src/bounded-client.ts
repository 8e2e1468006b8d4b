import pg from 'pg'

/** A short statement that sets, or resets, a statement timeout; its new value in ms is a number or a parameter. */
const SETS_TIMEOUT = /^\s*(?:set|reset|select\s+set_config)\b[\s\S]{0,200}?\bstatement_timeout\b/i
const NEW_TIMEOUT = /\bstatement_timeout\b'?\s*(?:=|,|to)\s*'?(?:(\d+)|\$(\d+))'?\s*(?:[,;]|$)/i

interface Bounds {
  /** PostgreSQL's own limit of a statement; 0 for none. */
  readonly statementTimeoutMs: number
  /** How much longer an answer may take than its statement: the ways there and back. */
  readonly answerGraceMs: number
}

/** A connection of a pool that never leaves its caller waiting for ever. */
export interface BoundedClient extends pg.Client {
  /** To be called when it goes back to the pool: who takes it next begins with the usual bound. */
  resetTimeout(): void
}

/**
 * Connections that end themselves when PostgreSQL owes an answer for longer than the statement timeout and the grace: a
 * backend that is stopped, or a network that is cut, says nothing at all, and the statement timeout is kept by the other
 * side. Their queries then fail as those of any connection that broke, and the pool closes them.
 *
 * Who raises the statement timeout raises this bound with it, until the connection goes back to the pool. pg's own
 * `query_timeout` knows one bound for all, and leaves the statement running on a connection that is used again.
 */
export function createBoundedClientClass({
  statementTimeoutMs,
  answerGraceMs,
}: Bounds): new (
  config?: pg.ClientConfig,
) => BoundedClient {
  return class extends pg.Client implements BoundedClient {
    #timeoutMs = statementTimeoutMs
    #timer: NodeJS.Timeout | undefined
    #hasEnded = false

    constructor(config?: pg.ClientConfig) {
      super(config)
      this.on('drain', () => clearTimeout(this.#timer))
      this.on('end', () => this.#stopWatching())
    }

    override query(...args: unknown[]): never {
      this.#timeoutMs = findTimeout(args, this.#timeoutMs) ?? statementTimeoutMs
      this.#watch()
      // `never` stands for what each of the overloads answers.
      return Reflect.apply(super.query, this, args) as never
    }

    resetTimeout(): void {
      this.#timeoutMs = statementTimeoutMs
    }

    /** Until nothing is under way any more: that is what `drain` says. */
    #watch(): void {
      clearTimeout(this.#timer)
      if (this.#hasEnded || this.#timeoutMs === 0) return
      const boundMs = this.#timeoutMs + answerGraceMs
      // In two halves: a process that stood still itself reads what came meanwhile before the second one is over.
      this.#timer = setTimeout(() => {
        this.#timer = setTimeout(() => this.#giveUp(boundMs), boundMs / 2)
      }, boundMs / 2)
    }

    #giveUp(boundMs: number): void {
      this.#stopWatching()
      this.emit('error', new Error(`PostgreSQL left a connection without an answer for ${boundMs} ms`))
      // With a statement under way this cuts the connection and waits for nobody.
      void this.end()
    }

    #stopWatching(): void {
      this.#hasEnded = true
      clearTimeout(this.#timer)
    }
  }
}

/** The statement timeout in ms from this query on; 0 for none or one that cannot be read, null for the usual one. */
function findTimeout([query, values]: readonly unknown[], currentMs: number): number | null {
  const text = getText(query)
  if (text === null || !SETS_TIMEOUT.test(text)) return currentMs
  if (/^\s*reset\b/i.test(text)) return null
  const [, figure, place] = NEW_TIMEOUT.exec(text) ?? []
  const value = place === undefined ? figure : Array.isArray(values) ? values[Number(place) - 1] : undefined
  const ms = Number(value ?? 0)
  return Number.isSafeInteger(ms) ? ms : 0
}

function getText(query: unknown): string | null {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string'
    ? query.text
    : null
}
