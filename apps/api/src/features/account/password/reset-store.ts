import { createHash, randomInt } from 'node:crypto'
import type { Database, Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Insertable } from 'kysely'
import { type EndedCredentials, endCredentials } from '../end-credentials.ts'
import { updatePassword } from '../store.ts'

const MINUTE_MS = 60_000

export const RESET_CODE_MS = 15 * MINUTE_MS

/**
 * Max number of wrong codes from the browser that requested the reset. After that many wrong codes, the reset code is
 * invalid.
 */
const RESET_TRIES_MAX = 5

/** Max number of codes that other browsers may try per account and day without proof of work. */
export const GUESSES_MAX = 15

/**
 * Max number of codes that other browsers may try per account and day in total. With this limit, the chance to guess a
 * code is about one in ten thousand.
 */
export const WORKED_GUESSES_MAX = 115

/** Min time in ms between two mails to an account that is beyond the limits. */
export const MAIL_PAUSE_MS = 5 * MINUTE_MS

/**
 * Max number of wrong codes without proof of work per BUDGET_WINDOW_MS, for all accounts and nodes together. With this
 * limit, the chance to guess a code is 0.1 %.
 */
export const FREE_TRIES_MAX = 1_000

export const BUDGET_WINDOW_MS = 24 * 60 * MINUTE_MS

/** A reset that is not used or expired. */
export interface OpenReset {
  readonly tokenHash: Buffer
  readonly userId: UserId | null
  readonly codeHash: string | null
}

const OPEN_RESET = ['token_hash as tokenHash', 'user_id as userId', 'code_hash as codeHash'] as const

export async function insertReset(db: Db, reset: Insertable<Database['password_resets']>): Promise<void> {
  await db.insertInto('password_resets').values(reset).execute()
}

interface NewCode {
  readonly user_id: UserId
  readonly code_hash: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** Replaces the codes of a player's resets. Browsers that requested a reset can then use the new code. */
export async function setCode(tx: Tx, { user_id, created_at: now, ...code }: NewCode): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set(code)
    .where('user_id', '=', user_id)
    .where('code_hash', 'is not', null)
    .where('expires_at', '>', now)
    .execute()
}

/**
 * Returns whether a link was mailed since a certain time and is still valid. Mails to addresses without an account
 * count, too.
 */
export async function hasLinkSince(
  db: Db,
  accountKey: Buffer,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('token_hash')
    .where('account_key', '=', accountKey)
    .where('secret_hash', 'is not', null)
    .where('created_at', '>', since)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

interface LinkReset {
  readonly secretHash: Buffer
  /** If the account is null, the link may belong to any account. */
  readonly accountKey: Buffer | null
  readonly now: Date
}

/** Finds the reset for a link's secret. The secret works in every browser, and wrong codes do not invalidate it. */
export async function findResetBySecret(db: Db, link: LinkReset): Promise<OpenReset | undefined> {
  let query = db
    .selectFrom('password_resets')
    .select(OPEN_RESET)
    .where('secret_hash', '=', link.secretHash)
    .where('expires_at', '>', link.now)
  if (link.accountKey !== null) query = query.where('account_key', '=', link.accountKey)
  return await query.$castTo<OpenReset>().executeTakeFirst()
}

interface OwnReset {
  readonly tokenHash: Buffer
  /** Null matches every account. */
  readonly accountKey: Buffer | null
  readonly now: Date
}

/**
 * Counts one attempt for the browser that requested the reset. Returns undefined if there is no such reset or no
 * attempt left.
 */
export async function spendTry(db: Db, { tokenHash, accountKey, now }: OwnReset): Promise<OpenReset | undefined> {
  let update = db
    .updateTable('password_resets')
    .set((reset) => ({ tries: reset('tries', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('code_hash', 'is not', null)
    .where('tries', '<', RESET_TRIES_MAX)
  if (accountKey !== null) update = update.where('account_key', '=', accountKey)
  return await update.returning(OPEN_RESET).$castTo<OpenReset>().executeTakeFirst()
}

/** Gives an attempt back to the browser that requested the reset, because the code was correct or was not checked. */
export async function refundTry(db: Db, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('password_resets')
    .set((reset) => ({ tries: reset('tries', '-', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('tries', '>', 0)
    .execute()
}

/** Finds an account's newest reset with attempts left. */
export async function findNewestReset(db: Db, accountKey: Buffer, now: Date): Promise<OpenReset | undefined> {
  return await db
    .selectFrom('password_resets')
    .select(OPEN_RESET)
    .where('account_key', '=', accountKey)
    .where('code_hash', 'is not', null)
    .where('expires_at', '>', now)
    .where('tries', '<', RESET_TRIES_MAX)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(1)
    .$castTo<OpenReset>()
    .executeTakeFirst()
}

export interface PasswordChange {
  readonly userId: UserId
  /** The reset that the call uses up. */
  readonly tokenHash: Buffer
  readonly passwordHash: string
  readonly now: Date
}

interface PasswordReset extends EndedCredentials {
  /** Whether a requested deletion was undone. */
  readonly wasDue: boolean
}

/**
 * Uses up a reset: sets the password, deletes every other reset, session and API key of the player, and undoes a
 * requested deletion. Returns null if the reset was used or expired meanwhile.
 */
export async function changePassword(tx: Tx, change: PasswordChange): Promise<PasswordReset | null> {
  const { userId, tokenHash, passwordHash, now } = change
  // Lock the player's row. Concurrent resets, new API keys, and logins with the old password must then wait.
  const user = tx.selectFrom('users').select('deletion_due_at').where('id', '=', userId)
  const before = await user.forNoKeyUpdate().executeTakeFirst()
  const used = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('token_hash')
    .executeTakeFirst()
  if (used === undefined) return null
  // Also remove a requested address and a requested deletion, because an intruder may have requested them.
  await updatePassword(tx, userId, passwordHash)
  await tx.updateTable('users').set({ deletion_due_at: null }).where('id', '=', userId).execute()
  return { ...(await endCredentials(tx, userId)), wasDue: before != null && before.deletion_due_at !== null }
}

/** Creates six random digits. */
export function newResetCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/**
 * Returns the key under which resets are stored. The key is a hash, because the address may belong to someone without
 * an account.
 */
export function toAccountKey(emailKey: string): Buffer {
  return createHash('sha256').update(emailKey).digest()
}
