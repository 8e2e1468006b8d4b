import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** TOTP parameters that all authenticator apps support. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Length of a secret in bytes: 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Max clock drift in time steps, in both directions. */
const WINDOW = 1
const ISSUER = 'Papermoon'

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** Returns the secret in base 32 for typing, and the otpauth URI for a QR code. */
export function describeTotp(secret: Buffer, username: string): { secret: string; uri: string } {
  const totp = toTotp(secret, username)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/**
 * Returns a six-digit code's time step (30 s units since 1970), which is the current step or a neighbour; null if none
 * matches.
 */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | null {
  const totp = toTotp(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** Returns the current time step. */
export function getTotpStep(now: Date): number {
  return TOTP.counter({ period: FORM.period, timestamp: now.getTime() })
}

function toTotp(secret: Buffer, username = ''): TOTP {
  const bytes = new Uint8Array(secret)
  // Remove colons, because a colon separates issuer and account name in the label.
  const label = username.replaceAll(':', ' ')
  return new TOTP({ ...FORM, issuer: ISSUER, label, secret: new Secret({ buffer: bytes.buffer }) })
}
