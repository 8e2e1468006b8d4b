import { availableParallelism } from 'node:os'
import { Counter, type Registry } from 'prom-client'
import { ApiError } from '../errors.ts'
import { createWorkQueue } from '../lib/work-queue.ts'
import { PasswordThreads } from './password-threads.ts'
import type { PasswordTask } from './password-worker.ts'

/** A hash at the cost of all others, of nobody's password. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$KUQPAbBNC66MdUda+ikYsw$1DKMAnJLwDE/c9rS0qJrbYVFSCSBYuQj8SAG7eqWBME'

/** Leaves a core to trades. */
const RUNNING_MAX = Math.max(1, Math.min(2, availableParallelism() - 1))
const WAITING_MAX = 64

/** Too many passwords are being hashed; nothing was done. */
export class PasswordQueueFullError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 2
  constructor() {
    super('The server is busy. Please try again in a moment.')
  }
}

/** Hashes and checks passwords, a bounded number at once. */
export interface PasswordHasher {
  /** The argon2id hash of a password. Throws `PasswordQueueFullError`. */
  hash(password: string): Promise<string>
  /**
   * Whether a password fits a hash. Without a hash the answer is false after the same work, so that the
   * time tells nobody which accounts exist. Throws `PasswordQueueFullError`.
   */
  fits(password: string, passwordHash: string | undefined): Promise<boolean>
}

/** Whoever made it closes it. */
export interface ClosablePasswordHasher extends PasswordHasher {
  /** Ends its threads; work under way is rejected. */
  close(): Promise<void>
}

/** A hasher with a queue and threads of its own; counts its work in `metrics`. */
export function createPasswordHasher(metrics: Registry): ClosablePasswordHasher {
  const work = new Counter({
    name: 'papermoon_password_hashes_total',
    help: 'Passwords hashed or checked.',
    registers: [metrics],
  })
  const queue = createWorkQueue({
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    full: () => new PasswordQueueFullError(),
  })
  const threads = new PasswordThreads()
  const run = (task: PasswordTask) =>
    queue(() => {
      work.inc()
      return threads.run(task)
    })
  return {
    hash: async (password) => String(await run({ password: normal(password) })),
    fits: async (password, passwordHash) => {
      const fits = await run({ password: normal(password), hash: passwordHash ?? DECOY })
      return fits === true && passwordHash !== undefined
    },
    close: () => threads.close(),
  }
}

/** One keyboard's accented letters are another's composed ones. */
function normal(password: string): string {
  return password.normalize('NFC')
}
