import { randomBytes, randomInt } from 'node:crypto'
import { ALPHABET, CODE_CHARS, type FactorCode } from '@papermoon/contract/factor-code'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { Secret, TOTP } from 'otpauth'
import type { AppPart } from '../../../context.ts'
import { ApiError, defineError } from '../../../errors.ts'
import type { SecretPurpose } from '../../../security/secret-box.ts'
import { refundDailyTry, spendDailyTry, type TryList } from '../daily-tries.ts'
import { countOwn } from '../store.ts'
import { findRecoveryHash, findTotp, hasEnabledTotp, type TotpRow, useRecoveryCode, useTotpStep } from './store.ts'

/**
 * Max number of wrong codes per day. Codes from trusted browsers and codes from all other browsers are counted
 * separately.
 */
const TRIES_MAX = 20

const RECOVERY_CODES = 10

const SELECTOR_CHARS = 2

export class SecondFactorOnError extends defineError(
  'SECOND_FACTOR_ON',
  'Your account already has an authenticator app. Please turn it off first.',
) {}

export class SecondFactorOffError extends defineError('SECOND_FACTOR_OFF', 'Your account has no authenticator app.') {}

/** The setup of the authenticator app was not started, was started too long ago, or was started again elsewhere. */
export class SetupExpiredError extends defineError('SETUP_EXPIRED', 'This setup has expired. Please begin again.') {}

/** The password was correct, but the account has a second factor. */
class SecondFactorNeededError extends defineError(
  'SECOND_FACTOR_NEEDED',
  'Please enter the six-digit code from your authenticator app, or a recovery code.',
) {}

/** The code of the second factor is wrong, expired or used. All cases get the same error. */
export class SecondFactorInvalidError extends defineError(
  'SECOND_FACTOR_INVALID',
  'This code is wrong or was already used. Please wait for the next one.',
) {}

/** A logged-in player entered an invalid code. The HTTP status is not 401, because the player stays logged in. */
export class WrongCodeError extends defineError(
  'WRONG_CODE',
  'This code is wrong or was already used. Please wait for the next one.',
) {}

/** There were too many wrong codes within a day. The player can still log in with a recovery code or a passkey. */
class TooManyCodesError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS: number
  constructor(retryAfterS: number) {
    super('You entered too many wrong codes. Please use a recovery code or a passkey, or try again tomorrow.')
    this.retryAfterS = retryAfterS
  }
}

type Parts = AppPart<'db' | 'clock' | 'log' | 'passwords' | 'secrets'>

interface FactorCaller {
  readonly app: Parts
  readonly ip: string
}

/** A verified second factor that is not used up yet, or `none` if the account has no second factor. */
export type FactorProof =
  | { readonly kind: 'none' }
  | { readonly kind: 'totp'; readonly sealed: Buffer; readonly resealed: Buffer; readonly step: number }
  | { readonly kind: 'recovery_code'; readonly codeHash: string; readonly step: number }

interface FactorTry {
  readonly userId: UserId
  readonly code: FactorCode | undefined
  /**
   * Whether the account trusts the browser from which the code comes. Attempts from other browsers are counted
   * separately.
   */
  readonly isKnown: boolean
}

/**
 * Verifies a second factor after the password. After this function, call `spendFactorProof`. Throws
 * `SecondFactorNeededError`, `SecondFactorInvalidError`, `TooManyCodesError` or `PasswordQueueFullError`.
 */
export async function proveSecondFactor(
  caller: FactorCaller,
  { userId, code, isKnown }: FactorTry,
): Promise<FactorProof> {
  const { app } = caller
  const totp = await findTotp(app.platform.db, userId)
  if (totp === undefined || totp.enabledAt === null) return { kind: 'none' }
  if (code === undefined) throw new SecondFactorNeededError()
  if (code.kind === 'recovery_code') return await proveRecoveryCode(caller, userId, code.code)
  return await proveTotp(app, totp, { userId, isKnown, digits: code.digits })
}

/** Marks a proof as used. If two concurrent calls prove the same code, only one succeeds. */
export async function spendFactorProof(tx: Tx, userId: UserId, proof: FactorProof): Promise<void> {
  if (proof.kind === 'none') {
    // Another call may have enabled a second factor since the check.
    if (await hasEnabledTotp(tx, userId)) throw new SecondFactorNeededError()
    return
  }
  const isSpent =
    proof.kind === 'totp' ? await useTotpStep(tx, userId, proof) : await useRecoveryCode(tx, userId, proof)
  if (!isSpent) throw new SecondFactorInvalidError()
}

/** Returns how many recovery codes remain after the player used one; null if the proof was not a recovery code. */
export async function countCodesLeft(tx: Tx, userId: UserId, proof: FactorProof): Promise<number | null> {
  return proof.kind === 'recovery_code' ? await countOwn(tx, 'recovery_codes', userId) : null
}

export function toTotpPurpose(userId: UserId): SecretPurpose {
  return `totp:${userId}`
}

async function proveTotp(
  app: Parts,
  { sealed }: TotpRow,
  { userId, isKnown, digits }: Omit<FactorTry, 'code'> & { readonly digits: string },
): Promise<FactorProof> {
  const {
    platform: { db, clock },
    accounts: { secrets },
  } = app
  const now = clock.now()
  const tries: TryList = { table: 'totp_tries', key: { user_id: userId, is_known: isKnown } }
  const waitS = await spendDailyTry(db, tries, now, TRIES_MAX)
  if (waitS !== null) throw new TooManyCodesError(waitS)
  const secret = await openSecret(app, userId, sealed)
  const step = secret === null ? null : findTotpStep(secret, digits, now)
  if (secret === null || step === null) throw new SecondFactorInvalidError()
  await refundDailyTry(db, tries, now)
  const resealed = (await secrets.isOutdated(sealed)) ? await secrets.seal(secret, toTotpPurpose(userId)) : sealed
  return { kind: 'totp', sealed, resealed, step }
}

async function openSecret(
  { accounts: { secrets }, platform: { log } }: Parts,
  userId: UserId,
  sealed: Buffer,
): Promise<Buffer | null> {
  const secret = await secrets.open(sealed, toTotpPurpose(userId))
  if (secret === null) log.error({ userId }, 'a TOTP secret cannot be read: was SECRETS_KEY changed?')
  return secret
}

async function proveRecoveryCode({ app, ip }: FactorCaller, userId: UserId, code: string): Promise<FactorProof> {
  const codeHash = await findRecoveryHash(app.platform.db, userId, getSelector(code))
  const fits = await app.accounts.passwords.fits(ip, code, codeHash)
  if (!fits || codeHash === undefined) throw new SecondFactorInvalidError()
  return { kind: 'recovery_code', codeHash, step: getTotpStep(app.platform.clock.now()) }
}

/**
 * Creates ten codes of 50 random bits. Each code begins with two characters with which no other code of the player
 * begins.
 */
export function newRecoveryCodes(): string[] {
  const codes = new Map<string, string>()
  while (codes.size < RECOVERY_CODES) {
    const code = Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    codes.set(getSelector(code), code)
  }
  return [...codes.values()]
}

/** Returns the part of a recovery code that says which of a player's hashes to check. */
export function getSelector(code: string): string {
  return code.slice(0, SELECTOR_CHARS)
}

/** Formats a recovery code as two halves joined by a hyphen. */
export function formatRecoveryCode(code: string): string {
  return `${code.slice(0, CODE_CHARS / 2)}-${code.slice(CODE_CHARS / 2)}`
}

/** TOTP parameters that all authenticator apps support. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Length of a secret in bytes: 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Max clock drift in time steps, forwards or backwards. */
const WINDOW = 1
const ISSUER = 'Papermoon'

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** Returns the TOTP secret in base 32 for typing, and the otpauth URI for a QR code. */
export function describeTotp(secret: Buffer, username: string): { secret: string; uri: string } {
  const totp = toTotp(secret, username)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/**
 * Returns the time step of a six-digit code (in units of 30 s since 1970): the current step or a neighbour. Returns
 * null if the code fits none of these steps.
 */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | null {
  const totp = toTotp(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** Returns the current time step. */
function getTotpStep(now: Date): number {
  return TOTP.counter({ period: FORM.period, timestamp: now.getTime() })
}

function toTotp(secret: Buffer, username = ''): TOTP {
  const bytes = new Uint8Array(secret)
  // Remove colons, because a colon separates issuer and account name in the URI's label.
  const label = username.replaceAll(':', ' ')
  return new TOTP({ ...FORM, issuer: ISSUER, label, secret: new Secret({ buffer: bytes.buffer }) })
}
