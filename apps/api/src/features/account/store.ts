import { type Sol, solText } from '@papermoon/amm'
import type { SessionId } from '@papermoon/contract/security'
import type { Db, Tx } from '@papermoon/db'
import { NotSignedInError, type TokenId, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { stakedTokens } from '../portfolio/public.ts'
import { hashSecret } from './credentials.ts'

/** Locks the open pools that a player has a stake in, in id order. Returns the pools' tokens. */
export async function lockPools(tx: Tx, userId: UserId): Promise<ReadonlySet<TokenId>> {
  const { rows } = await sql<{ token_id: TokenId }>`
    select p.token_id from pools p
     where p.token_id in ${stakedTokens(userId)} and p.rugged_at is null
     order by p.token_id for no key update of p`.execute(tx)
  return new Set(rows.map((row) => row.token_id))
}

/** Locks a player's account. Call this function after `lockPools`. */
export async function lockAccount(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('user_id')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Finds the tokens of the open pools that a player has a stake in. */
export async function findStakedPools(db: Db, userId: UserId): Promise<TokenId[]> {
  const { rows } = await sql<{ token_id: TokenId }>`
    select p.token_id from pools p
     where p.token_id in ${stakedTokens(userId)} and p.rugged_at is null`.execute(db)
  return rows.map((row) => row.token_id)
}

/** Returns when a player last reset their account, or null. */
export async function findLastReset(db: Db, userId: UserId): Promise<Date | null> {
  const row = await db
    .selectFrom('grants')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', 'reset')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

/** Grants SOL to a player whose account is locked. */
export async function insertReset(
  tx: Tx,
  reset: { userId: UserId; amount: Sol; balance: Sol; at: Date },
): Promise<void> {
  const { userId, amount, balance, at } = reset
  await tx
    .insertInto('grants')
    .values({ user_id: userId, kind: 'reset', amount: solText(amount), created_at: at })
    .execute()
  await tx
    .updateTable('accounts')
    .set({ sol_balance: solText(balance) })
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Finds a player's password hash; undefined for a deleted player. With `lock`, nobody else can change the hash until
 * the transaction ends.
 */
export async function findPasswordHash(db: Db, userId: UserId, lock?: 'lock'): Promise<string | undefined> {
  const user = db.selectFrom('users').select('password_hash').where('id', '=', userId).where('deleted_at', 'is', null)
  const row = await user.$if(lock === 'lock', (query) => query.forShare()).executeTakeFirst()
  return row?.password_hash
}

/** Returns texts that a password must not resemble: the player's username and email address. */
export async function findPersonal(db: Db, userId: UserId): Promise<string[]> {
  const row = await db.selectFrom('users').select(['username', 'email']).where('id', '=', userId).executeTakeFirst()
  return row === undefined ? [] : [row.username, row.email]
}

/** Finds a player's unexpired sessions, most recently used first. */
export async function findPlayerSessions(db: Db, userId: UserId, now: Date) {
  return await db
    .selectFrom('sessions')
    .select(['token_hash', 'id', 'browser', 'address', 'created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Finds the id of the session with this token hash. */
export async function findSessionId(db: Db, tokenHash: Buffer): Promise<SessionId | undefined> {
  const row = await db.selectFrom('sessions').select('id').where('token_hash', '=', tokenHash).executeTakeFirst()
  return row?.id as SessionId | undefined
}

/** Deletes a player's session. Returns its token hash, or null if there was no such session. */
export async function deleteSession(tx: Tx, userId: UserId, id: SessionId): Promise<Buffer | null> {
  const row = await tx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('token_hash')
    .executeTakeFirst()
  return row?.token_hash ?? null
}

interface NewToken {
  readonly old: Buffer
  readonly next: Buffer
  readonly now: Date
  /**
   * Whether the new cookie's name has the prefix. If so, the cookie's name without the prefix is no longer accepted.
   */
  readonly hasPrefix: boolean
  /** Whether the session was confirmed with a second factor. */
  readonly byFactor?: boolean
}

/**
 * Replaces a session's token and marks the session as just confirmed. Returns the time at which the session expires.
 * Throws `NotSignedInError` if the session has ended.
 */
export async function replaceToken(tx: Tx, { old, next, now, hasPrefix, byFactor = false }: NewToken): Promise<Date> {
  const row = await tx
    .updateTable('sessions')
    .set({
      token_hash: next,
      confirmed_at: now,
      ...(hasPrefix && { plain_cookie_until: null }),
      ...(byFactor && { factor_at: now }),
    })
    .where('token_hash', '=', old)
    .returning('expires_at')
    .executeTakeFirst()
  if (row === undefined) throw new NotSignedInError()
  return row.expires_at
}

/** Sets a player's password and revokes the codes and links that could change it back. */
export async function updatePassword(tx: Tx, userId: UserId, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await tx.deleteFrom('email_links').where('user_id', '=', userId).execute()
}

/** Finds a player's email address, and the link that was mailed to the requested new address. */
export async function findEmail(db: Db, userId: UserId) {
  return await db
    .selectFrom('users')
    .leftJoin('email_links', 'email_links.user_id', 'users.id')
    .select(['users.email', 'users.email_key', 'users.email_verified_at'])
    .select(['email_links.email as linked', 'email_links.email_key as linked_key', 'email_links.expires_at'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Returns whether another player has this email address. */
export async function isTaken(db: Db, userId: UserId, emailKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', emailKey)
    .where('id', '!=', userId)
    .executeTakeFirst()
  return row !== undefined
}

interface NewEmail {
  readonly userId: UserId
  readonly email: string
  readonly emailKey: string
  /** Time at which the email address was verified; null if it was not verified. */
  readonly verifiedAt: Date | null
}

/** Sets a player's email address and revokes the codes and links mailed to the old one. */
export async function updateEmail(tx: Tx, { userId, email, emailKey, verifiedAt }: NewEmail): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email, email_key: emailKey, email_verified_at: verifiedAt })
    .where('id', '=', userId)
    .execute()
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await tx.deleteFrom('email_links').where('user_id', '=', userId).execute()
}

/** Finds the player whose email link this is, if the link has not expired. */
export async function findLink(db: Db, tokenHash: Buffer, now: Date): Promise<UserId | undefined> {
  const row = await db
    .selectFrom('email_links')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id as UserId | undefined
}

/**
 * Marks an email link as used. The caller must have locked the player. Returns the email address of the link, or
 * undefined if the link was used or replaced.
 */
export async function deleteLink(tx: Tx, tokenHash: Buffer): Promise<{ email: string; emailKey: string } | undefined> {
  return await tx
    .deleteFrom('email_links')
    .where('token_hash', '=', tokenHash)
    .returning(['email', 'email_key as emailKey'])
    .executeTakeFirst()
}

export async function findUsername(db: Db, userId: UserId): Promise<string> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirstOrThrow()
  return row.username
}

export async function updateWallet(tx: Tx, userId: UserId, wallet: string): Promise<void> {
  await tx.updateTable('users').set({ wallet }).where('id', '=', userId).execute()
}

/** Returns how many of a table's rows belong to a player. */
export async function countOwn(
  db: Db,
  table: 'api_keys' | 'passkeys' | 'recovery_codes' | 'watchlist' | 'webhooks',
  userId: UserId,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where user_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Locks a player's row until the transaction ends. While the lock is held, changes to the player's data, such as
 * credentials and limited lists, happen one after another.
 */
export async function lockUser(tx: Tx, userId: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/**
 * Locks the player's row, so that other changes to their credentials wait for this transaction. Throws `NotSignedInError`
 * if a password reset or another device ended the session meanwhile.
 */
export async function lockSession(tx: Tx, { cookies }: Pick<Context, 'cookies'>, userId: UserId): Promise<void> {
  await lockUser(tx, userId)
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = await tx
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', hashSecret(cookies.session.token))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (session === undefined) throw new NotSignedInError()
}
