import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Counter, type Registry } from 'prom-client'
import { ApiError } from '../errors.ts'
import { boundedWork } from '../lib/limiter.ts'

/** OWASP's first choice for argon2id; one check takes some 30 ms of a core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash at the same cost, of nobody's password. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$KUQPAbBNC66MdUda+ikYsw$1DKMAnJLwDE/c9rS0qJrbYVFSCSBYuQj8SAG7eqWBME'

/** Leaves a core to trades, and threads of Node's pool of four to files and name lookups. */
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

/** A hasher with a queue of its own; counts its work in `metrics`. */
export function createPasswordHasher(metrics: Registry): PasswordHasher {
  const work = new Counter({
    name: 'papermoon_password_hashes_total',
    help: 'Passwords hashed or checked.',
    registers: [metrics],
  })
  const queue = boundedWork({
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    full: () => new PasswordQueueFullError(),
  })
  return {
    hash: (password) =>
      queue(() => {
        work.inc()
        return hash(normal(password), cost)
      }),
    fits: (password, passwordHash) =>
      queue(async () => {
        work.inc()
        const fits = await verify(passwordHash ?? DECOY, normal(password))
        return fits && passwordHash !== undefined
      }),
  }
}

/** One keyboard's accented letters are another's composed ones. */
function normal(password: string): string {
  return password.normalize('NFC')
}
