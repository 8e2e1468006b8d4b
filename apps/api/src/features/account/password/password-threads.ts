import { on, once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PasswordResult, PasswordTask } from './password-worker.ts'

/** Idle time after which a thread ends to free its memory, in ms. */
const IDLE_MS = 60_000

/**
 * Threads with a low priority that hash passwords, started on demand. A flood of logins therefore only gets the
 * processor time that trades leave. Node's own thread pool has the same priority as the event loop, and would compete
 * with it for a core.
 */
export class PasswordThreads {
  readonly #idle = new Map<Worker, NodeJS.Timeout>()
  readonly #busy = new Set<Worker>()

  /**
   * Runs a task. The caller limits how many run at once. Rejects if the thread ends meanwhile or the hash is malformed.
   */
  async run(task: PasswordTask): Promise<string | boolean> {
    const thread = this.#take()
    let isUsable = false
    try {
      const result = await askThread(thread, task)
      isUsable = true
      if ('error' in result) throw new Error(result.error)
      return result.value
    } finally {
      this.#busy.delete(thread)
      if (isUsable) this.#keep(thread)
      else await thread.terminate()
    }
  }

  /** Ends all threads. Pending work is rejected. */
  async close(): Promise<void> {
    const threads = [...this.#idle.keys(), ...this.#busy]
    for (const timer of this.#idle.values()) clearTimeout(timer)
    this.#idle.clear()
    await Promise.all(threads.map((thread) => thread.terminate()))
  }

  #take(): Worker {
    const [idle] = this.#idle
    const thread = idle?.[0] ?? startThread()
    clearTimeout(idle?.[1])
    this.#idle.delete(thread)
    this.#busy.add(thread)
    return thread
  }

  #keep(thread: Worker): void {
    const end = () => {
      this.#idle.delete(thread)
      void thread.terminate()
    }
    this.#idle.set(thread, setTimeout(end, IDLE_MS).unref())
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL('password-worker.ts', import.meta.url))
  thread.unref()
  return thread
}

async function askThread(thread: Worker, task: PasswordTask): Promise<PasswordResult> {
  const over = new AbortController()
  const { signal } = over
  thread.postMessage(task)
  try {
    return await Promise.race([
      readResult(thread, signal),
      once(thread, 'exit', { signal }).then(() => {
        throw new Error('the thread that hashes passwords has ended')
      }),
    ])
  } finally {
    over.abort()
  }
}

/**
 * Returns the first message that is a result, because `node --watch` makes threads send others. Rejects on the thread's
 * `error` event.
 */
async function readResult(thread: Worker, signal: AbortSignal): Promise<PasswordResult> {
  for await (const [message] of on(thread, 'message', { signal })) {
    if ('value' in message || 'error' in message) return message
  }
  throw new Error('the thread that hashes passwords has gone silent')
}
