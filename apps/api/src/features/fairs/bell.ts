import { createHash, randomBytes } from 'node:crypto'

const FRACTION_BYTES = 6
const FRACTIONS = 2 ** (8 * FRACTION_BYTES)

const SECRET_BYTES = 32

/** The secret of a new fair: its bell, bots and tokens are drawn from it. */
export function createSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * When trading ends: a moment of the last `windowS` seconds before `endsAt`, drawn from the fair's secret, so that
 * nobody knows it before and anyone can check it after. The first 48 bits of the hash are a fraction from 0 to below 1.
 */
export function bellMoment(secret: Uint8Array, endsAt: Date, windowS: number): Date {
  const fraction =
    createHash('sha256').update('papermoon bell\n').update(secret).digest().readUIntBE(0, FRACTION_BYTES) / FRACTIONS
  return new Date(Math.floor(endsAt.getTime() - windowS * 1000 * fraction))
}

/** What is published of a secret at the opening: its SHA-256, in hex. */
export function commitOf(secret: Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex')
}
