import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

/** OWASP's first choice for argon2id; one hash takes 15 to 30 ms of a core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** On a contended core the thread gets about a quarter: logins slow down, but go on. */
const NICENESS = 5

/** A password to hash, or to check against a hash. */
export interface PasswordTask {
  readonly password: string
  /** Absent: the password is to be hashed. */
  readonly hash?: string
}

/** The hash; whether the password fits; or why neither could be found out. */
export type PasswordResult = { readonly value: string | boolean } | { readonly error: string }

assert(parentPort !== null, 'this file runs as a thread')
const port = parentPort
// Priorities are per thread on Linux. Elsewhere this would slow down the whole server.
if (process.platform === 'linux') setPriority(NICENESS)
port.on('message', (task: PasswordTask) => port.postMessage(perform(task)))

function perform({ password, hash }: PasswordTask): PasswordResult {
  try {
    return { value: hash === undefined ? hashSync(password, cost) : verifySync(hash, password) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
