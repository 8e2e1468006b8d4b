import { type Sol, solText } from '@papermoon/amm'
import type { Database, Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Insertable, sql } from 'kysely'
import type { Caller } from '../../../context.ts'
import { IS_BOT } from '../../../database/conditions.ts'

/** Max number of sessions per player. When a player logs in again, the oldest session ends. */
export const SESSIONS_MAX = 50

/** Inserts a player with their account and the grant of the starting balance. */
export async function insertUser(
  tx: Tx,
  user: Insertable<Database['users']> & { readonly created_at: Date },
  grant: Sol,
): Promise<UserId> {
  const { id } = await tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  const amount = solText(grant)
  await tx.insertInto('accounts').values({ user_id: id, sol_balance: amount, realized_pnl: '0' }).execute()
  await tx.insertInto('grants').values({ user_id: id, kind: 'register', amount, created_at: user.created_at }).execute()
  return id as UserId
}

/** Assigns daily games to a new player who played them as a guest in this browser. */
export async function claimTapePlays(tx: Tx, userId: UserId, browserHash: Buffer): Promise<void> {
  await tx
    .updateTable('tape_plays')
    .set({ user_id: userId, browser_hash: null })
    .where('browser_hash', '=', browserHash)
    .execute()
}

/** Returns which of the two keys (username or email address) is already taken; null if both are free. */
export async function findTaken(
  db: Db,
  keys: { readonly usernameKey: string; readonly emailKey: string },
): Promise<'username' | 'email' | null> {
  const rows = await db
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where((where) => where.or([where('username_key', '=', keys.usernameKey), where('email_key', '=', keys.emailKey)]))
    .limit(2)
    .execute()
  if (rows.some((row) => row.email_key === keys.emailKey)) return 'email'
  return rows.length > 0 ? 'username' : null
}

export interface Credentials {
  readonly id: UserId
  /** The email address as the player typed it. */
  readonly email: string
  readonly passwordHash: string
}

/** Finds the player with this email address and their password hash. */
export async function findCredentials(db: Db, emailKey: string): Promise<Credentials | undefined> {
  return await db
    .selectFrom('users')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey)
    .$castTo<Credentials>()
    .executeTakeFirst()
}

export async function findUser(db: Db, userId: UserId) {
  return await db
    .selectFrom('users as u')
    .innerJoin('accounts', 'accounts.user_id', 'u.id')
    .select(['id', 'username', IS_BOT.as('is_bot'), 'email', 'wallet'])
    .select(['profile_picture_url', 'sol_balance', 'created_at'])
    .select(['warning', 'standing', 'standing_reason', 'deletion_due_at'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Inserts a session for a player who just proved who they are. Ends their oldest sessions beyond SESSIONS_MAX. */
export async function insertSession(
  tx: Tx,
  session: Insertable<Database['sessions']> & { readonly created_at: Date },
): Promise<void> {
  const { created_at: now, user_id: userId } = session
  await tx
    .insertInto('sessions')
    .values({ ...session, last_used_at: now, confirmed_at: now })
    .execute()
  const surplus = tx
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .orderBy('token_hash')
    .offset(SESSIONS_MAX)
  await tx.deleteFrom('sessions').where('token_hash', 'in', surplus).execute()
}

/** Records that a session was confirmed with a second factor. */
export async function markFactorProven(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ factor_at: now }).where('token_hash', '=', tokenHash).execute()
}

export interface FoundSession extends Caller {
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly plainCookieUntil: Date | null
}

/** Finds the session with this token hash, if it has not expired. */
export async function findSession(db: Db, tokenHash: Buffer, now: Date): Promise<FoundSession | undefined> {
  return await db
    .selectFrom('sessions')
    .innerJoin('users as u', 'u.id', 'sessions.user_id')
    .select(['user_id as userId', 'standing as accountStatus', IS_BOT.as('isBot'), 'sessions.created_at as createdAt'])
    .select(['last_used_at as lastUsedAt', 'expires_at as expiresAt', 'plain_cookie_until as plainCookieUntil'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .$castTo<FoundSession>()
    .executeTakeFirst()
}

/** Returns the valid sessions: those that have not expired and whose account is not frozen. */
export async function findSessions(db: Db, tokenHashes: readonly Buffer[], now: Date): Promise<Buffer[]> {
  const { rows } = await sql<{ token_hash: Buffer }>`
    select s.token_hash from sessions s join users u on u.id = s.user_id
    where s.token_hash = any(${tokenHashes}::bytea[]) and s.expires_at > ${now} and u.standing <> 'frozen'`.execute(db)
  return rows.map((row) => row.token_hash)
}

export interface SessionUse {
  readonly lastUsedAt: Date
  readonly address: string
  readonly browser: string
  readonly expiresAt: Date
  readonly plainCookieUntil: Date | null
}

export async function updateSession(db: Db, tokenHash: Buffer, use: SessionUse): Promise<void> {
  const { lastUsedAt, address, browser, expiresAt, plainCookieUntil } = use
  await db
    .updateTable('sessions')
    .set({ last_used_at: lastUsedAt, address, browser, expires_at: expiresAt, plain_cookie_until: plainCookieUntil })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Ends a session. Returns the session's player, or null if there was no such session. */
export async function deleteSession(db: Db, tokenHash: Buffer): Promise<UserId | null> {
  const deleted = db.deleteFrom('sessions').where('token_hash', '=', tokenHash).returning('user_id')
  const row = await deleted.executeTakeFirst()
  return row === undefined ? null : (row.user_id as UserId)
}
