import { createHash, randomBytes } from 'node:crypto'

const FRACTION_BYTES = 6
const FRACTIONS = 2 ** (8 * FRACTION_BYTES)

const SECRET_BYTES = 32

/** Creates the secret of a new fair, which determines its bell, bots and tokens. */
export function createSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * Computes the end of trading from the fair's secret: a time in the last `windowS` seconds before `endsAt`. Nobody
 * knows the time before, but anyone can check it afterwards. The first 48 bits of the hash, as a fraction below 1,
 * choose the time.
 */
export function bellMoment(secret: Uint8Array, endsAt: Date, windowS: number): Date {
  const fraction =
    createHash('sha256').update('papermoon bell\n').update(secret).digest().readUIntBE(0, FRACTION_BYTES) / FRACTIONS
  return new Date(Math.floor(endsAt.getTime() - windowS * 1000 * fraction))
}

/** Returns the hash of a secret that is published at the start: SHA-256 in hex. */
export function commitOf(secret: Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex')
}
