import type { PasskeyId } from '@papermoon/contract/passkeys'
import type { Database, Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Insertable } from 'kysely'

/** Finds a player's passkeys, newest first. */
export async function findPasskeys(db: Db, userId: UserId) {
  return await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'rp_id', 'is_synced', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Returns the id under which authenticators store this player's passkeys. The first call stores `handle` as the id. */
export async function findOrKeepHandle(db: Db, userId: UserId, handle: Buffer): Promise<Buffer> {
  await db
    .insertInto('passkey_owners')
    .values({ user_id: userId, handle })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  const row = await db
    .selectFrom('passkey_owners')
    .select('handle')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.handle
}

export type NewPasskey = Insertable<Database['passkeys']>

/** Inserts a passkey. Returns the passkey's id, or null if the credential is already registered. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<PasskeyId | null> {
  const row = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return (row?.id ?? null) as PasskeyId | null
}

/** Deletes a player's passkey. Returns its name, or null if there is no such passkey. */
export async function deletePasskey(tx: Tx, userId: UserId, id: PasskeyId): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Why a logged-in player must sign: to confirm an action or to add a passkey. */
export type PasskeyPurpose = Exclude<Database['passkey_challenges']['purpose'], 'login'>

export interface Challenge {
  readonly holder: Buffer
  readonly purpose: PasskeyPurpose
  readonly userId: UserId
  readonly challenge: Buffer
  readonly expiresAt: Date
}

/** Stores a challenge, which replaces the holder's previous one for the same purpose. */
export async function putChallenge(db: Db, challenge: Challenge): Promise<void> {
  const { holder, purpose, userId, challenge: bytes, expiresAt } = challenge
  const kept = { user_id: userId, challenge: bytes, expires_at: expiresAt }
  await db
    .insertInto('passkey_challenges')
    .values({ holder, purpose, ...kept })
    .onConflict((conflict) => conflict.columns(['holder', 'purpose']).doUpdateSet(kept))
    .execute()
}

/** Deletes and returns a holder's open challenge. Returns undefined if the holder has none or it has expired. */
export async function takeChallenge(
  db: Db,
  { holder, purpose, now }: Pick<Challenge, 'holder' | 'purpose'> & { readonly now: Date },
): Promise<{ userId: UserId | null; challenge: Buffer } | undefined> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('holder', '=', holder)
    .where('purpose', '=', purpose)
    .returning(['user_id', 'challenge', 'expires_at'])
    .executeTakeFirst()
  if (row === undefined || row.expires_at <= now) return undefined
  return { userId: row.user_id as UserId | null, challenge: row.challenge }
}

export interface StoredPasskey {
  readonly id: number
  readonly userId: UserId
  readonly handle: Buffer
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly rpId: string
  readonly name: string
}

/** Finds the passkey with this credential id, and the user handle under which authenticators store its player. */
export async function findPasskey(db: Db, credentialId: Buffer): Promise<StoredPasskey | undefined> {
  return await db
    .selectFrom('passkeys')
    .innerJoin('passkey_owners', 'passkey_owners.user_id', 'passkeys.user_id')
    .select(['id', 'passkeys.user_id as userId', 'handle', 'credential_id as credentialId', 'public_key as publicKey'])
    .select(['counter', 'rp_id as rpId', 'name'])
    .where('credential_id', '=', credentialId)
    .$castTo<StoredPasskey>()
    .executeTakeFirst()
}

/** Finds credential ids and transports of a player's passkeys for a domain. */
export async function findCredentials(
  db: Db,
  userId: UserId,
  rpId: string,
): Promise<{ credentialId: Buffer; transports: string[] }[]> {
  return await db
    .selectFrom('passkeys')
    .select(['credential_id as credentialId', 'transports'])
    .where('user_id', '=', userId)
    .where('rp_id', '=', rpId)
    .orderBy('id')
    .execute()
}

interface PasskeyUse {
  readonly id: number
  /** The counter in the database at the time when the signature was verified. */
  readonly counter: number
  readonly newCounter: number
  readonly isSynced: boolean
  readonly now: Date
}

/**
 * Records a use of the passkey and locks its row. Returns false if the passkey was removed or used with another counter
 * meanwhile.
 */
export async function markPasskeyUsed(tx: Tx, use: PasskeyUse): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter: use.newCounter, is_synced: use.isSynced, last_used_at: use.now })
    .where('id', '=', use.id)
    .where('counter', '=', use.counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
