import { fork } from 'node:child_process'

const HEAP_FLAGS = ['--max-old-space-size=1024']
/** How long a child process may take to end after SIGTERM before it is killed, in ms. */
const KILL_AFTER_MS = 2_000

export interface ChildScript {
  readonly command: string
  /** Environment variables, by default those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

interface ChildOptions {
  /** The child process is stopped when this signal is aborted. */
  readonly stopping: AbortSignal
  /** Time in ms after which the child process is stopped, if there is a limit. */
  readonly maxMs?: number
  /** Max length of the stored output, in characters. Only the end of the output is stored. */
  readonly outputCharsMax: number
  /** Flags for the child's Node process. By default, the flags allow a heap of a gigabyte. */
  readonly flags?: readonly string[]
  onMessage?(message: unknown): void
}

export interface ChildEnd {
  /** The exit code. The exit code is null if a signal ended the child process. */
  readonly code: number | null
  /** The end of the child's output on stdout and stderr. */
  readonly output: string
}

/**
 * Runs a script in a child process. The promise resolves when the script has ended. The promise rejects if the script
 * could not start.
 */
export async function runChild({ command, env }: ChildScript, options: ChildOptions): Promise<ChildEnd> {
  const { stopping, maxMs, outputCharsMax, flags = HEAP_FLAGS, onMessage = () => {} } = options
  const child = fork(command, [], {
    ...(env && { env }),
    execArgv: [...flags],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.on('message', onMessage)
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
