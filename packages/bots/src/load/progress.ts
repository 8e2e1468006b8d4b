import { toPercentileMs } from './report.ts'
import type { LoadRun } from './run-load.ts'

/** The output for progress. On a terminal, one line changes. In other outputs, a new line appears from time to time. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const TERMINAL_MS = 250
const PLAIN_MS = 10_000
const CLEAR_LINE = '\r\u001B[2K'

export class Progress {
  readonly #screen: Screen
  #shownAtMs = Number.NEGATIVE_INFINITY
  #isOpen = false

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** Shows a line of progress, unless the last one was shown a moment ago. */
  say(text: string): void {
    const isTerminal = this.#screen.isTTY === true
    const nowMs = performance.now()
    if (nowMs < this.#shownAtMs + (isTerminal ? TERMINAL_MS : PLAIN_MS)) return
    this.#shownAtMs = nowMs
    this.#isOpen = isTerminal
    this.#screen.write(isTerminal ? `${CLEAR_LINE}${text}` : `${text}\n`)
  }

  /** Shows a line that later lines do not replace. */
  note(text: string): void {
    this.end()
    this.#screen.write(`${text}\n`)
  }

  end(): void {
    if (this.#isOpen) this.#screen.write(CLEAR_LINE)
    this.#isOpen = false
    this.#shownAtMs = Number.NEGATIVE_INFINITY
  }

  /** Shows a run's progress until the returned function is called. */
  follow(run: LoadRun): () => void {
    const timer = setInterval(() => {
      const { plan, lastedMs, scheduled, done, latencies, eventsMissed } = run.result
      const p99 = toPercentileMs(latencies, 99).toFixed(0)
      const of = `${(lastedMs / 1_000).toFixed(0)} of ${plan.seconds} s at ${plan.rate.toFixed(0)}/s`
      this.say(`${of}: ${scheduled} orders, ${done} acknowledged, p99 ${p99} ms, ${eventsMissed} events under way`)
    }, TERMINAL_MS)
    return () => {
      clearInterval(timer)
      this.end()
    }
  }
}
