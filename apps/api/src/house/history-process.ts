import { runChild } from '../lib/run-child.ts'

/** Size of a history. */
export interface HistoryFigures {
  readonly tokens: number
  readonly trades: number
  readonly bots: number
  readonly seconds: number
}

/**
 * Flags for Node. Most objects live until the end, so a large young generation halves the time for garbage collection.
 */
const NODE_FLAGS = ['--max-semi-space-size=64']
/** Max time to write a history, in ms: ten times what a slow machine needs. */
const WRITE_MAX_MS = 180_000
/** Max length of the output that is stored, in characters. Only its end is stored. */
const OUTPUT_CHARS_MAX = 4_000

/**
 * Writes the demo world's history in a child process, so that this process responds to calls meanwhile. The child ends
 * with this process, and then has written nothing. Rejects when the child fails.
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
