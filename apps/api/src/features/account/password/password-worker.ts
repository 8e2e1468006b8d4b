import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

/** The parameters for argon2id that OWASP lists first. One hash takes 15 to 30 ms on one core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Nice value (scheduling priority) of the thread. On a busy core, the thread gets about a quarter of the processor
 * time.
 */
const NICENESS = 5

/** A password to hash, or to check against a hash. */
export interface PasswordTask {
  readonly password: string
  /** The hash to check against. Without this hash, the password is only hashed. */
  readonly hash?: string
}

/** The new hash, or whether the password matches, or the error. */
export type PasswordResult = { readonly value: string | boolean } | { readonly error: string }

assert(parentPort !== null, 'this file runs as a thread')
const port = parentPort
// Only set the priority on Linux, where it applies to a thread. On other systems, the priority would apply to the whole
// server and slow it down.
if (process.platform === 'linux') setPriority(NICENESS)
port.on('message', (task: PasswordTask) => port.postMessage(perform(task)))

function perform({ password, hash }: PasswordTask): PasswordResult {
  try {
    return { value: hash === undefined ? hashSync(password, cost) : verifySync(hash, password) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
