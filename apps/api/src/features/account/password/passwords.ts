import { on, once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Counter, type Registry } from 'prom-client'
import type { PasswordHasher } from '../../../context.ts'
import { defineError } from '../../../errors.ts'
import { createWorkQueue } from '../../../lib/work-queue.ts'
import type { PasswordResult, PasswordTask } from './password-worker.ts'

/** A hash with the usual cost that matches no password. */
export const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$KUQPAbBNC66MdUda+ikYsw$1DKMAnJLwDE/c9rS0qJrbYVFSCSBYuQj8SAG7eqWBME'

/** Max number of concurrent hashes. One processor core stays free for the event loop. */
const RUNNING_MAX = Math.max(1, Math.min(2, availableParallelism() - 1))
const WAITING_MAX = 64

/** The password was not hashed, because too many others are being hashed. */
class PasswordQueueFullError extends defineError('BUSY', 'The server is busy. Please try again in a moment.', {
  retryAfterS: 2,
}) {}

/** A password hasher that its creator must close. */
export interface ClosablePasswordHasher extends PasswordHasher {
  /** Ends the hasher's threads. Pending work is rejected. */
  close(): Promise<void>
}

/** The threads on which a hasher runs. */
export type PasswordRunner = Pick<PasswordThreads, 'run' | 'close'>

/** Creates a hasher with its own queue. The hasher counts its work in `metrics`. Closing the hasher closes `runner`. */
export function createPasswordHasher(
  metrics: Registry,
  runner: PasswordRunner = new PasswordThreads(),
): ClosablePasswordHasher {
  const work = new Counter({
    name: 'papermoon_password_hashes_total',
    help: 'Number of passwords that were hashed or checked.',
    registers: [metrics],
  })
  const queue = createWorkQueue({
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    full: () => new PasswordQueueFullError(),
  })
  const run = (ip: string, task: PasswordTask) =>
    queue(ip, () => {
      work.inc()
      return runner.run(task)
    })
  return {
    hash: async (ip, password) => {
      const hash = await run(ip, { password: normalize(password) })
      if (typeof hash !== 'string') throw new TypeError('a password was not hashed')
      return hash
    },
    fits: async (ip, password, passwordHash) => {
      const fits = await run(ip, { password: normalize(password), hash: passwordHash ?? DECOY })
      return fits === true && passwordHash !== undefined
    },
    close: () => runner.close(),
  }
}

/** Normalizes a password, because some keyboards compose accented letters and others do not. */
function normalize(password: string): string {
  return password.normalize('NFC')
}

/** Idle time after which a thread ends to free its memory, in ms. */
const IDLE_MS = 60_000

/**
 * Threads with a low priority that hash passwords, started on demand. A flood of logins therefore gets only the
 * processor time that trades do not need. Node's own thread pool has the same priority as the event loop and would
 * compete with it for a core.
 */
class PasswordThreads {
  readonly #idle = new Map<Worker, NodeJS.Timeout>()
  readonly #busy = new Set<Worker>()

  /**
   * Runs a task on a thread. The caller limits how many run at once. The promise rejects if the thread ends meanwhile
   * or the hash is malformed.
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

  /** Ends all threads. Pending passwords are rejected. */
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
 * Returns the first message that is a result, because `node --watch` makes threads send other messages. The promise
 * rejects on the thread's `error` event.
 */
async function readResult(thread: Worker, signal: AbortSignal): Promise<PasswordResult> {
  for await (const [message] of on(thread, 'message', { signal })) {
    if ('value' in message || 'error' in message) return message
  }
  throw new Error('the thread that hashes passwords does not respond')
}
