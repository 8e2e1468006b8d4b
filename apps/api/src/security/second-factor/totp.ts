import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** What authenticator apps take everywhere: SHA-1, six digits, a new code every 30 seconds. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Steps that a clock may be off, either way. */
const WINDOW = 1
const ISSUER = 'Papermoon'

/** A new secret to share with an authenticator app. */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The secret as people type it and as an app reads it: base 32, and the address that a QR code holds. */
export function describeTotp(secret: Buffer, username: string): { secret: string; uri: string } {
  const totp = toTotp(secret, username)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The step (30 s since 1970) that a code of six digits is of, or null: it is not of now, one step before or one after. */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | null {
  const totp = toTotp(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

function toTotp(secret: Buffer, username = ''): TOTP {
  const bytes = new Uint8Array(secret)
  // A colon in the label would end the issuer's name.
  const label = username.replaceAll(':', ' ')
  return new TOTP({ ...FORM, issuer: ISSUER, label, secret: new Secret({ buffer: bytes.buffer }) })
}
