import { type WorkChallenge, workChallenge } from '@papermoon/contract/work-challenge'
import { z } from 'zod'

/** Max length of a solution in characters. Real solutions are shorter. */
export const ANSWER_CHARACTERS_MAX = 2_000

const hex64 = z.string().regex(/^[0-9a-f]{64}$/)

/** Content of the `Proof-Of-Work` header: this object as JSON in base64url. */
const workAnswer = z.object({
  challenge: workChallenge,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex64 }),
})
export type WorkAnswer = z.output<typeof workAnswer>

/** Encodes a challenge as a header value. */
export function encodeChallenge(challenge: WorkChallenge): string {
  return Buffer.from(JSON.stringify(challenge)).toString('base64url')
}

/** Parses a `Proof-Of-Work` header; returns null if it is malformed. */
export function parseAnswer(header: string): WorkAnswer | null {
  if (header.length > ANSWER_CHARACTERS_MAX) return null
  try {
    return workAnswer.safeParse(JSON.parse(Buffer.from(header, 'base64url').toString())).data ?? null
  } catch {
    return null
  }
}
