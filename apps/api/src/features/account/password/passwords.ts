import { availableParallelism } from 'node:os'
import { Counter, type Registry } from 'prom-client'
import type { PasswordHasher } from '../../../context.ts'
import { defineError } from '../../../errors.ts'
import { createWorkQueue } from '../../../lib/work-queue.ts'
import { PasswordThreads } from './password-threads.ts'
import type { PasswordTask } from './password-worker.ts'

/** A hash of the usual cost that no password matches. */
export const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$KUQPAbBNC66MdUda+ikYsw$1DKMAnJLwDE/c9rS0qJrbYVFSCSBYuQj8SAG7eqWBME'

/** Max number of concurrent hashes, which leaves one core to the event loop. */
const RUNNING_MAX = Math.max(1, Math.min(2, availableParallelism() - 1))
const WAITING_MAX = 64

/** Too many passwords are being hashed, so this one was not. */
export class PasswordQueueFullError extends defineError('BUSY', 'The server is busy. Please try again in a moment.', {
  retryAfterS: 2,
}) {}

/** A password hasher that its creator must close. */
export interface ClosablePasswordHasher extends PasswordHasher {
  /** Ends the hasher's threads. Pending work is rejected. */
  close(): Promise<void>
}

/** The threads on which a hasher runs. */
export type PasswordRunner = Pick<PasswordThreads, 'run' | 'close'>

/** Creates a hasher with its own queue. Counts its work in `metrics`, and closes `runner` when it is closed. */
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

/** Normalizes a password, because keyboards differ in whether they compose accented letters. */
function normalize(password: string): string {
  return password.normalize('NFC')
}
