import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

/** Parameters for argon2id that OWASP recommends first. One hash takes 15 to 30 ms on one core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Nice value of the thread. On a busy core, the thread gets about a quarter of the processor time. */
const NICENESS = 5

/** A password to hash, or to check against a hash. */
export interface PasswordTask {
  readonly password: string
  /** The hash to check against. If absent, the password is only hashed. */
  readonly hash?: string
}

/** The hash, or whether the password matches, or the error. */
export type PasswordResult = { readonly value: string | boolean } | { readonly error: string }

assert(parentPort !== null, 'this file runs as a thread')
const port = parentPort
// Only set the priority on Linux, where it applies to a thread. On other systems, it would slow down the whole server.
if (process.platform === 'linux') setPriority(NICENESS)
port.on('message', (task: PasswordTask) => port.postMessage(perform(task)))

function perform({ password, hash }: PasswordTask): PasswordResult {
  try {
    return { value: hash === undefined ? hashSync(password, cost) : verifySync(hash, password) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
