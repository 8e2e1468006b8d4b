import { createHash, randomInt } from 'node:crypto'
import { type WorkChallenge, type WorkPurpose, workChallenge } from '@papermoon/contract/work-challenge'
import type { Db } from '@papermoon/db'
import type { Clock } from '@papermoon/engine'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2'
import { deriveKey as sha } from 'altcha-lib/algorithms/sha'
import { sql } from 'kysely'
import { z } from 'zod'
import { loadServerKey } from '../secret-box.ts'

/** Max time for solving a challenge and sending the solution, in ms. */
const GOOD_FOR_MS = 5 * 60_000

/** `name` of the row in `server_keys` that contains the key. */
const KEY_NAME = 'proof of work'

/** Max length of a solution in characters. Real solutions are shorter than this. */
export const ANSWER_CHARACTERS_MAX = 2_000

const hex64 = z.string().regex(/^[0-9a-f]{64}$/)

/** Content of the `Proof-Of-Work` header: this object as JSON in base64url. */
const workAnswer = z.object({
  challenge: workChallenge,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex64 }),
})

type WorkAnswer = z.output<typeof workAnswer>

/**
 * Challenges for secure and for insecure contexts. In a secure context, browsers derive keys natively. In an insecure
 * context, such as plain HTTP in a local network, browsers use JavaScript, which does less work in the same time. At
 * each level, the max counter limits how long a caller waits. At level 2, the wait is at most 5 s on a phone that is
 * six times slower than a busy desktop (docs/decisions/017).
 */
const challenges = {
  secure: { algorithm: 'PBKDF2/SHA-256', deriveKey: pbkdf2, cost: 1_000, counters: [300, 900, 2_000] },
  plain: { algorithm: 'SHA-256', deriveKey: sha, cost: 1, counters: [20_000, 60_000, 130_000] },
} as const

/** How much work an attempt costs. The level rises with the number of attempts in the last hour. */
export type WorkLevel = 0 | 1 | 2

/** An attempt for which a proof of work is required. */
export interface WorkTask {
  readonly purpose: WorkPurpose
  /** The account and the network of an attempt. A solution is valid only for this account and network. */
  readonly subject: string
  readonly level: WorkLevel
  /** Whether the caller's browser runs the page in a secure context. */
  readonly isSecureContext: boolean
}

/** Issues challenges to callers who try too often, and verifies their solutions. */
export interface ProofOfWork {
  challenge(task: WorkTask): Promise<WorkChallenge>
  /**
   * Returns whether the response solves an open challenge for this task, at the task's level or a higher one. Even if
   * several nodes get the same solution, only one call returns true.
   */
  redeem(answer: string, task: WorkTask): Promise<boolean>
}

/** Draws the counter that solves a challenge, from 0 to `max`. */
export type DrawCounter = (max: number) => number

/** Draws all counters with the same probability. */
const drawAnyCounter: DrawCounter = (max) => randomInt(max + 1)

interface Parts {
  readonly db: Db
  readonly clock: Clock
  /** Draws the counter that solves a challenge. By default, all counters are equally likely. */
  readonly drawCounter?: DrawCounter | undefined
}

/**
 * Creates the service that issues and verifies proofs of work. The service signs challenges with a key that all nodes
 * on a database share.
 */
export async function createProofOfWork({ db, clock, drawCounter = drawAnyCounter }: Parts): Promise<ProofOfWork> {
  const hmacSignatureSecret = (await loadServerKey(db, KEY_NAME)).toString('base64url')
  return {
    challenge: async (task) => {
      const { algorithm, deriveKey, cost, counters } = challenges[task.isSecureContext ? 'secure' : 'plain']
      const counterMax = counters[task.level]
      const challenge = await createChallenge({
        algorithm,
        cost,
        // Choose the counter in advance, because this limits the work. Clients can find the counter only by trying all
        // lower ones.
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
  // A caller in an insecure context may also solve the more expensive challenge.
  const isAllowed = algorithm === challenges.secure.algorithm || !task.isSecureContext
  if (!isAllowed || expiresAt * 1_000 <= now.getTime()) return false
  return data.purpose === task.purpose && data.binding === toBinding(task) && data.level >= task.level
}

function toBinding({ purpose, subject }: WorkTask): string {
  return createHash('sha256').update(`${purpose} ${subject}`).digest('base64url')
}

/** Encodes a challenge as a header value. */
export function encodeChallenge(challenge: WorkChallenge): string {
  return Buffer.from(JSON.stringify(challenge)).toString('base64url')
}

/** Parses a `Proof-Of-Work` header. Returns null if the header is malformed. */
function parseAnswer(header: string): WorkAnswer | null {
  if (header.length > ANSWER_CHARACTERS_MAX) return null
  try {
    return workAnswer.safeParse(JSON.parse(Buffer.from(header, 'base64url').toString())).data ?? null
  } catch {
    return null
  }
}

/**
 * Marks a proof as used. A proof can be used only once on all nodes together. Returns false if the proof was already
 * used.
 */
export async function spendProof(db: Db, nonce: Buffer, expiresAt: Date): Promise<boolean> {
  const row = await db
    .insertInto('spent_proofs')
    .values({ nonce, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}

/** A limit that all callers on all nodes share. */
interface Budget {
  readonly name: string
  /**
   * Length of the budget's time window in ms. A window begins with the first call after the previous window has ended.
   */
  readonly lengthMs: number
}

/** Returns the amount spent in the budget's current window. */
export async function findBudgetSpent(db: Db, { name, lengthMs }: Budget, now: Date): Promise<number> {
  const row = await db
    .selectFrom('shared_budgets')
    .select('spent')
    .where('name', '=', name)
    .where('began_at', '>', new Date(now.getTime() - lengthMs))
    .executeTakeFirst()
  return row?.spent ?? 0
}

interface BudgetCharge extends Budget {
  /** The amount to add to what was spent. A negative amount is a refund. */
  readonly amount: number
}

/** Adds an amount to a budget. Returns the total that was spent in the current window. */
export async function spendBudget(db: Db, { name, lengthMs, amount }: BudgetCharge, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - lengthMs)
  const { rows } = await sql<{ spent: number }>`
    insert into shared_budgets as b (name, began_at, spent) values (${name}, ${now}, ${Math.max(0, amount)})
    on conflict (name) do update set
      began_at = case when b.began_at <= ${oldest} then excluded.began_at else b.began_at end,
      spent = greatest(0, case when b.began_at <= ${oldest} then 0 else b.spent end + ${amount}::integer)
    returning spent`.execute(db)
  return rows[0]?.spent ?? 0
}
