import { z } from 'zod'

/** Calls that can require a proof of work. */
export const workPurposes = ['login', 'register', 'forgot-password', 'reset-password'] as const
export type WorkPurpose = (typeof workPurposes)[number]

const hex = (characters: number) => z.string().regex(new RegExp(`^[0-9a-f]{${characters}}$`))

/**
 * A challenge in altcha-lib's format: find the smallest counter, from 0, whose derived key begins with `keyPrefix`. The
 * server signs the challenge. A challenge is valid only once, for the attempt that `data` describes.
 */
export const workChallenge = z
  .strictObject({
    parameters: z.strictObject({
      algorithm: z.enum(['PBKDF2/SHA-256', 'SHA-256']),
      nonce: hex(32),
      salt: hex(32),
      cost: z.int().min(1).describe('Number of hash rounds.'),
      keyLength: z.literal(32),
      keyPrefix: hex(32),
      expiresAt: z.int().describe('Expiry time, in seconds since 1970.'),
      data: z.strictObject({
        purpose: z.enum(workPurposes),
        binding: z.string().max(64).describe('Hash of the client that must solve the challenge.'),
        level: z.int().min(0),
        counterMax: z.int().min(1).describe('Largest counter to try.'),
      }),
    }),
    signature: hex(64),
  })
  .describe('A proof-of-work puzzle in the format of altcha-lib.')
  .meta({ id: 'WorkChallenge' })
export type WorkChallenge = z.output<typeof workChallenge>
