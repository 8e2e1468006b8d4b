import { createHash, randomInt } from 'node:crypto'
import type { Database } from '@papermoon/db'
import type { Clock } from '@papermoon/engine'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2'
import { deriveKey as sha } from 'altcha-lib/algorithms/sha'
import type { Kysely } from 'kysely'
import { loadServerKey } from '../server-key.ts'
import { parseAnswer, type WorkAnswer, type WorkChallenge, type WorkPurpose, workChallenge } from './challenge.ts'
import { spendProof } from './store.ts'

/** Time to solve a puzzle and send its answer. */
const GOOD_FOR_MS = 5 * 60_000
/** The row of `server_keys`. */
const KEY_NAME = 'proof of work'

/**
 * Browsers derive keys fast where the page is secure, and only by script elsewhere (plain HTTP on a LAN): the same
 * wait there buys less work. The counters of each level bound the wait: at level 2, 5 s on a phone six times slower than
 * a busy desktop (docs/decisions/015).
 */
const puzzles = {
  secure: { algorithm: 'PBKDF2/SHA-256', deriveKey: pbkdf2, cost: 1_000, counters: [300, 900, 2_000] },
  plain: { algorithm: 'SHA-256', deriveKey: sha, cost: 1, counters: [20_000, 60_000, 130_000] },
} as const

/** How much work a try costs; it rises with the tries of the last hour. */
export type WorkLevel = 0 | 1 | 2

/** One try that work is asked for. */
export interface WorkTask {
  readonly purpose: WorkPurpose
  /** Whose try it is: the account and the network. An answer for one is none for another. */
  readonly subject: string
  readonly level: WorkLevel
  /** Whether the caller's browser takes the page for secure. */
  readonly isSecureContext: boolean
}

/** Puzzles for callers who try too often, and the check of their answers. */
export interface ProofOfWork {
  challenge(task: WorkTask): Promise<WorkChallenge>
  /** Whether this is the answer to an open puzzle for this task, at its level or above; true once, over all nodes. */
  redeem(answer: string, task: WorkTask): Promise<boolean>
}

/** Puzzles signed with a key that all nodes of the database share. */
export async function createProofOfWork(parts: { db: Kysely<Database>; clock: Clock }): Promise<ProofOfWork> {
  const { db, clock } = parts
  const hmacSignatureSecret = (await loadServerKey(db, KEY_NAME)).toString('base64url')
  return {
    challenge: async (task) => {
      const { algorithm, deriveKey, cost, counters } = puzzles[task.isSecureContext ? 'secure' : 'plain']
      const counterMax = counters[task.level]
      const made = await createChallenge({
        algorithm,
        cost,
        // Known from the start, so that the wait has an end; nobody finds it but by counting.
        counter: randomInt(counterMax + 1),
        data: { purpose: task.purpose, binding: toBinding(task), level: task.level, counterMax },
        deriveKey,
        expiresAt: new Date(clock.now().getTime() + GOOD_FOR_MS),
        hmacSignatureSecret,
      })
      return workChallenge.parse(made)
    },
    redeem: async (header, task) => {
      const answer = parseAnswer(header)
      if (answer === null || !isFor(answer, task, clock.now())) return false
      const { challenge, solution } = answer
      const deriveKey = challenge.parameters.algorithm === 'SHA-256' ? sha : pbkdf2
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
      if (!verified) return false
      const { nonce, expiresAt } = challenge.parameters
      return await spendProof(db, Buffer.from(nonce, 'hex'), new Date(expiresAt * 1_000))
    },
  }
}

function isFor({ challenge: { parameters } }: WorkAnswer, task: WorkTask, now: Date): boolean {
  const { algorithm, data, expiresAt } = parameters
  // Who may use the quick puzzles may also use the others, which cost more.
  const isGood = algorithm === puzzles.secure.algorithm || !task.isSecureContext
  if (!isGood || expiresAt * 1_000 <= now.getTime()) return false
  return data.purpose === task.purpose && data.binding === toBinding(task) && data.level >= task.level
}

function toBinding({ purpose, subject }: WorkTask): string {
  return createHash('sha256').update(`${purpose} ${subject}`).digest('base64url')
}
