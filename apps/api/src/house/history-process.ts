import { runChild } from '../lib/run-child.ts'

/** Size of a history. */
export interface HistoryFigures {
  readonly tokens: number
  readonly trades: number
  readonly bots: number
  readonly seconds: number
}

/** Most of what it makes lives until the end: a large young generation halves its time for garbage. */
const NODE_FLAGS = ['--max-semi-space-size=64']
/** Ten times what a slow machine takes. */
const WRITE_MAX_MS = 180_000
/** Only the end of the output is kept. */
const OUTPUT_CHARS_MAX = 4_000

/**
 * Writes the history of the demo world in a child process, so that this one answers calls meanwhile. The process ends with
 * this one, and then has written nothing. Rejects when it fails.
 */
export async function runHistoryProcess(command: string, stopping: AbortSignal): Promise<HistoryFigures> {
  let figures: HistoryFigures | null = null
  const onMessage = (message: unknown) => {
    figures = message as HistoryFigures
  }
  const limits = { flags: NODE_FLAGS, maxMs: WRITE_MAX_MS, outputCharsMax: OUTPUT_CHARS_MAX }
  const { code, output } = await runChild({ command }, { stopping, onMessage, ...limits })
  if (code !== 0 || figures === null) throw new Error(`the history was not written (${code}): ${output}`)
  return figures
}
