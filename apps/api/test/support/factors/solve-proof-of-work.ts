import type { WorkChallenge } from '@papermoon/contract/work-challenge'
import { solveChallenge } from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2'
import { deriveKey as sha } from 'altcha-lib/algorithms/sha'
import type { LightMyRequestResponse } from 'fastify'

/** Returns the puzzle from the header of an error response. */
export function challengeIn({ headers }: Pick<LightMyRequestResponse, 'headers'>): WorkChallenge {
  const header = headers['proof-of-work-challenge']
  if (typeof header !== 'string') throw new Error('the answer brings no puzzle')
  return JSON.parse(Buffer.from(header, 'base64url').toString())
}

/** Solves the puzzle of an error response with the library's solver. Returns the header for the next try. */
export async function solved(refusal: Pick<LightMyRequestResponse, 'headers'>): Promise<{ 'proof-of-work': string }> {
  const challenge = challengeIn(refusal)
  const deriveKey = challenge.parameters.algorithm === 'SHA-256' ? sha : pbkdf2
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('no solution')
  return encoded({ challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey } })
}

/** Returns the header with a solution. */
export function encoded(answer: unknown): { 'proof-of-work': string } {
  return { 'proof-of-work': Buffer.from(JSON.stringify(answer)).toString('base64url') }
}
