import { createHash, randomInt } from 'node:crypto'
import { type WorkChallenge, type WorkPurpose, workChallenge } from '@papermoon/contract/work-challenge'
import type { Db } from '@papermoon/db'
import type { Clock } from '@papermoon/engine'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2'
import { deriveKey as sha } from 'altcha-lib/algorithms/sha'
import { loadServerKey } from '../server-key.ts'
import { parseAnswer, type WorkAnswer } from './challenge.ts'
import { spendProof } from './store.ts'

/** Max time to solve a challenge and send the solution. */
const GOOD_FOR_MS = 5 * 60_000
/** `name` of its row in `server_keys`. */
const KEY_NAME = 'proof of work'

/**
 * In a secure context browsers derive keys natively, elsewhere (plain HTTP on a LAN) in JavaScript, which does less work in
 * the same time. The max counter of each level bounds the wait: at level 2, 5 s on a phone six times slower than a busy
 * desktop (docs/decisions/017).
 */
const challenges = {
  secure: { algorithm: 'PBKDF2/SHA-256', deriveKey: pbkdf2, cost: 1_000, counters: [300, 900, 2_000] },
  plain: { algorithm: 'SHA-256', deriveKey: sha, cost: 1, counters: [20_000, 60_000, 130_000] },
} as const

/** How much work an attempt costs; rises with the attempts of the last hour. */
export type WorkLevel = 0 | 1 | 2

/** One attempt that requires work. */
export interface WorkTask {
  readonly purpose: WorkPurpose
  /** Account and network of the attempt; a solution is valid only for its own. */
  readonly subject: string
  readonly level: WorkLevel
  /** Whether the caller's browser runs the page in a secure context. */
  readonly isSecureContext: boolean
}

/** Issues challenges to callers who try too often, and verifies the solutions. */
export interface ProofOfWork {
  challenge(task: WorkTask): Promise<WorkChallenge>
  /** Whether the answer solves an open challenge for this task, at its level or above; true once across all nodes. */
  redeem(answer: string, task: WorkTask): Promise<boolean>
}

/** Draws the counter that solves a challenge: 0 to `max`. */
export type DrawCounter = (max: number) => number

/** Every counter is as likely. */
const drawAnyCounter: DrawCounter = (max) => randomInt(max + 1)

interface Parts {
  readonly db: Db
  readonly clock: Clock
  /** Default: any counter. */
  readonly drawCounter?: DrawCounter | undefined
}

/** Signs challenges with a key that all nodes of a database share. */
export async function createProofOfWork({ db, clock, drawCounter = drawAnyCounter }: Parts): Promise<ProofOfWork> {
  const hmacSignatureSecret = (await loadServerKey(db, KEY_NAME)).toString('base64url')
  return {
    challenge: async (task) => {
      const { algorithm, deriveKey, cost, counters } = challenges[task.isSecureContext ? 'secure' : 'plain']
      const counterMax = counters[task.level]
      const challenge = await createChallenge({
        algorithm,
        cost,
        // Chosen in advance, so that the work is bounded; clients can find it only by trying all counters below.
        counter: drawCounter(counterMax),
        data: { purpose: task.purpose, binding: toBinding(task), level: task.level, counterMax },
        deriveKey,
        expiresAt: new Date(clock.now().getTime() + GOOD_FOR_MS),
        hmacSignatureSecret,
      })
      return workChallenge.parse(challenge)
    },
    redeem: async (header, task) => {
      const answer = parseAnswer(header)
      if (answer === null || !isSolutionFor(answer, task, clock.now())) return false
      const { challenge, solution } = answer
      const deriveKey = challenge.parameters.algorithm === 'SHA-256' ? sha : pbkdf2
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
      if (!verified) return false
      const { nonce, expiresAt } = challenge.parameters
      return await spendProof(db, Buffer.from(nonce, 'hex'), new Date(expiresAt * 1_000))
    },
  }
}

function isSolutionFor({ challenge: { parameters } }: WorkAnswer, task: WorkTask, now: Date): boolean {
  const { algorithm, data, expiresAt } = parameters
  // A caller in an insecure context may also solve the costlier challenge.
  const isAllowed = algorithm === challenges.secure.algorithm || !task.isSecureContext
  if (!isAllowed || expiresAt * 1_000 <= now.getTime()) return false
  return data.purpose === task.purpose && data.binding === toBinding(task) && data.level >= task.level
}

function toBinding({ purpose, subject }: WorkTask): string {
  return createHash('sha256').update(`${purpose} ${subject}`).digest('base64url')
}
