import type { PasskeyId } from '@papermoon/contract/passkeys'
import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql, type Transaction } from 'kysely'

type Reader = Kysely<Database>
type Tx = Transaction<Database>

/** A player's passkeys, newest first. */
export async function findPasskeys(db: Reader, userId: UserId) {
  return await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'rp_id', 'is_synced', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

export async function countPasskeys(db: Reader, userId: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** The id under which authenticators store this player's passkeys: `handle` the first time, the same ever after. */
export async function findOrKeepHandle(db: Reader, userId: UserId, handle: Buffer): Promise<Buffer> {
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

export interface NewPasskey {
  readonly userId: UserId
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly rpId: string
  readonly isSynced: boolean
  readonly name: string
  readonly now: Date
}

/** Inserts a passkey; returns its id, or null where the credential is registered already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<PasskeyId | null> {
  const row = await tx
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: [...passkey.transports],
      rp_id: passkey.rpId,
      is_synced: passkey.isSynced,
      name: passkey.name,
      created_at: passkey.now,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return (row?.id ?? null) as PasskeyId | null
}

/** Deletes a player's passkey; returns its name, or null for none. */
export async function deletePasskey(tx: Tx, userId: UserId, id: PasskeyId): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

export async function findUsername(db: Reader, userId: UserId): Promise<string> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirstOrThrow()
  return row.username
}
