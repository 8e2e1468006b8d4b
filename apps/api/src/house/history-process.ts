import { type ChildProcess, fork } from 'node:child_process'

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
const GOODBYE_MS = 2_000
/** Only the end of the output is kept. */
const OUTPUT_CHARS_MAX = 4_000

/**
 * Writes the history of the demo world in a child process, so that this one answers calls meanwhile. The process ends with
 * this one, and then has written nothing. Rejects when it fails.
 */
export async function runHistoryProcess(command: string, stopping: AbortSignal): Promise<HistoryFigures> {
  const child = fork(command, [], { execArgv: [...NODE_FLAGS], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let figures: HistoryFigures | null = null
  let output = ''
  child.on('message', (message: HistoryFigures) => {
    figures = message
  })
  child.stderr?.on('data', (data: Buffer) => {
    output = `${output}${data}`.slice(-OUTPUT_CHARS_MAX)
  })
  const code = await untilEnd(child, stopping)
  if (code !== 0 || figures === null) throw new Error(`the history was not written (${code}): ${output.trim()}`)
  return figures
}

async function untilEnd(child: ChildProcess, stopping: AbortSignal): Promise<number | NodeJS.Signals | null> {
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GOODBYE_MS).unref()
  }
  const timer = setTimeout(end, WRITE_MAX_MS).unref()
  stopping.addEventListener('abort', end, { once: true })
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(code ?? signal))
    })
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  }
}
