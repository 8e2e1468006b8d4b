import type { Database, Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Insertable, sql } from 'kysely'
import { GUESS_WINDOW_MS, RESET_TRIES_MAX } from './reset-code.ts'

/** A reset that is not used or expired. */
export interface OpenReset {
  readonly tokenHash: Buffer
  readonly userId: UserId | null
  readonly codeHash: string | null
}

const OPEN_RESET = ['token_hash as tokenHash', 'user_id as userId', 'code_hash as codeHash'] as const

/** A player's address and password hash. */
export interface Mailbox {
  readonly userId: UserId
  readonly email: string
  readonly passwordHash: string
}

/** The player with this e-mail, and the address as they wrote it. */
export async function findMailbox(db: Db, emailKey: string): Promise<Mailbox | undefined> {
  return await db
    .selectFrom('users')
    .select(['id as userId', 'email', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey)
    .$castTo<Mailbox>()
    .executeTakeFirst()
}

export async function insertReset(db: Db, reset: Insertable<Database['password_resets']>): Promise<void> {
  await db.insertInto('password_resets').values(reset).execute()
}

interface NewCode {
  readonly user_id: UserId
  readonly code_hash: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** Replaces the codes of a player's resets, and so lets the browsers that requested them use another one. */
export async function setCode(tx: Tx, { user_id, created_at: now, ...code }: NewCode): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set(code)
    .where('user_id', '=', user_id)
    .where('code_hash', 'is not', null)
    .where('expires_at', '>', now)
    .execute()
}

/** Whether a link that is still valid was mailed since a moment; also for an e-mail without an account. */
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
  /** Null: the link of any account. */
  readonly accountKey: Buffer | null
  readonly now: Date
}

/** The reset of a link's secret. It works in every browser, however many codes were tried. */
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
  /** Null: any account. */
  readonly accountKey: Buffer | null
  readonly now: Date
}

/** Spends one try of the browser that requested the reset. Undefined where there is no such reset or no try left. */
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

/** Gives back a try of the browser that requested the reset, since the code was right or not checked. */
export async function refundTry(db: Db, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('password_resets')
    .set((reset) => ({ tries: reset('tries', '-', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('tries', '>', 0)
    .execute()
}

/**
 * Spends one of the tries that browsers without the reset's cookie share per account, `most` a day. Returns null, or
 * where none is left the time of the oldest try that counts.
 */
export async function spendGuess(db: Db, accountKey: Buffer, now: Date, most: number): Promise<Date | null> {
  const since = new Date(now.getTime() - GUESS_WINDOW_MS)
  const { rows } = await sql`
    insert into password_reset_guesses as g (account_key, guessed_at) values (${accountKey}, array[${now}::timestamptz])
    on conflict (account_key) do update
      set guessed_at = array(select t from unnest(g.guessed_at) t where t > ${since} order by t) || excluded.guessed_at
      where (select count(*) from unnest(g.guessed_at) t where t > ${since}) < ${most}
    returning 1`.execute(db)
  if (rows.length > 0) return null
  const spent = await sql<{ oldest: Date | null }>`
    select min(t) as oldest from password_reset_guesses g, unnest(g.guessed_at) t
     where g.account_key = ${accountKey} and t > ${since}`.execute(db)
  return spent.rows[0]?.oldest ?? now
}

/** Gives back the try spent at this time, since the code was right or not checked. */
export async function refundGuess(db: Db, accountKey: Buffer, now: Date): Promise<void> {
  await sql`
    update password_reset_guesses as g
       set guessed_at = g.guessed_at[:array_position(g.guessed_at, ${now}) - 1]
                     || g.guessed_at[array_position(g.guessed_at, ${now}) + 1:]
     where g.account_key = ${accountKey} and ${now} = any(g.guessed_at)`.execute(db)
}

/** The newest reset of an account with tries left. */
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
  /** The reset to use up. */
  readonly tokenHash: Buffer
  readonly passwordHash: string
  readonly now: Date
}

/** Hashes of ended sessions and API keys, and whether a requested deletion was undone. */
export interface EndedCredentials {
  readonly sessions: readonly Buffer[]
  readonly apiKeys: readonly Buffer[]
  readonly wasDue: boolean
}

/**
 * Uses up a reset: sets the password, deletes every other reset, session and API key of the player, and undoes a
 * requested deletion. Returns null where the reset was used or expired in between.
 */
export async function changePassword(tx: Tx, change: PasswordChange): Promise<EndedCredentials | null> {
  // Serializes concurrent resets, logins with the old password and new API keys of this player.
  const user = tx.selectFrom('users').select('deletion_due_at').where('id', '=', change.userId)
  const before = await user.forNoKeyUpdate().executeTakeFirst()
  const used = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', change.tokenHash)
    .where('expires_at', '>', change.now)
    .returning('token_hash')
    .executeTakeFirst()
  if (used === undefined) return null
  await tx.deleteFrom('password_resets').where('user_id', '=', change.userId).execute()
  // An intruder may have requested another address.
  await tx.deleteFrom('email_links').where('user_id', '=', change.userId).execute()
  const changed = { password_hash: change.passwordHash, deletion_due_at: null }
  await tx.updateTable('users').set(changed).where('id', '=', change.userId).execute()
  const sessions = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', change.userId)
    .returning('token_hash')
    .execute()
  const apiKeys = await tx.deleteFrom('api_keys').where('user_id', '=', change.userId).returning('key_hash').execute()
  return {
    sessions: sessions.map((row) => row.token_hash),
    apiKeys: apiKeys.map((row) => row.key_hash),
    wasDue: before != null && before.deletion_due_at !== null,
  }
}

/** Deletes expired resets and tries that no longer count. */
export async function deleteOldResets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  const since = new Date(now.getTime() - GUESS_WINDOW_MS)
  await sql`
    delete from password_reset_guesses
     where guessed_at = '{}' or guessed_at[cardinality(guessed_at)] <= ${since}`.execute(db)
}
