import type { ChildProcess } from 'node:child_process'

/** Time for a child process to end after SIGTERM, before it is killed. */
const KILL_AFTER_MS = 2_000

interface WaitOptions {
  /** Ends the child. */
  readonly stopping: AbortSignal
  /** Ends the child after this time. Default: never. */
  readonly maxMs?: number
  /** How much of the end of its output is kept. */
  readonly outputCharsMax: number
}

export interface ChildEnd {
  /** Null: a signal ended it. */
  readonly code: number | null
  /** Tail of its stdout and stderr, if piped. */
  readonly output: string
}

/** Waits until a child process has ended and its output is read. Rejects if it could not be started. */
export async function waitForChild(
  child: ChildProcess,
  { stopping, maxMs, outputCharsMax }: WaitOptions,
): Promise<ChildEnd> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output = `${output}${data}`.slice(-outputCharsMax)
    })
  }
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref()
  }
  const timer = maxMs === undefined ? undefined : setTimeout(end, maxMs).unref()
  stopping.addEventListener('abort', end, { once: true })
  if (stopping.aborted) end()
  try {
    return await new Promise<ChildEnd>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, output: output.trim() }))
    })
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  }
}
