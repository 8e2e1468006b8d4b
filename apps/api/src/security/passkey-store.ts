import type { Database } from '@papermoon/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { UserId } from '../ids.ts'

type Reader = Kysely<Database>
type Tx = Transaction<Database>

/** What a signature is asked for: to sign in, to prove it again, to add a passkey. */
export type PasskeyPurpose = Database['passkey_challenges']['purpose']

export interface Challenge {
  readonly holder: Buffer
  readonly purpose: PasskeyPurpose
  readonly userId: UserId | null
  readonly challenge: Buffer
  readonly expiresAt: Date
}

/** Challenges of guests that may be open at once, everybody's together. */
const OPEN_MAX = 20_000

/** Keeps a challenge in the place of its holder's last one; false when too many are open. */
export async function putChallenge(db: Reader, challenge: Challenge, now: Date): Promise<boolean> {
  const { holder, purpose, userId, challenge: bytes, expiresAt } = challenge
  const { rows } = await sql`
    insert into passkey_challenges (holder, purpose, user_id, challenge, expires_at)
    select ${holder}, ${purpose}, ${userId}::integer, ${bytes}::bytea, ${expiresAt}::timestamptz
     where ${userId}::integer is not null
        or (select count(*) from (select 1 from passkey_challenges where expires_at > ${now} limit ${OPEN_MAX}) open)
           < ${OPEN_MAX}
    on conflict (holder, purpose) do update
      set user_id = excluded.user_id, challenge = excluded.challenge, expires_at = excluded.expires_at
    returning 1`.execute(db)
  return rows.length > 0
}

/** The open challenge of a holder, which is gone from then on. */
export async function takeChallenge(
  db: Reader,
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

export async function deleteOldChallenges(db: Reader, now: Date): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
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

/** The passkey with this credential id, and the handle by which authenticators know its player. */
export async function findPasskey(db: Reader, credentialId: Buffer): Promise<StoredPasskey | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .innerJoin('passkey_owners', 'passkey_owners.user_id', 'passkeys.user_id')
    .select(['id', 'passkeys.user_id', 'handle', 'public_key', 'counter', 'rp_id', 'name'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id as UserId,
      handle: row.handle,
      credentialId,
      publicKey: row.public_key,
      counter: row.counter,
      rpId: row.rp_id,
      name: row.name,
    }
  )
}

/** The credential ids of a player's passkeys at a domain. */
export async function findCredentials(
  db: Reader,
  userId: UserId,
  rpId: string,
): Promise<{ credentialId: Buffer; transports: string[] }[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('rp_id', '=', rpId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ credentialId: row.credential_id, transports: row.transports }))
}

interface PasskeyUse {
  readonly id: number
  /** As it was when the signature was checked. */
  readonly counter: number
  readonly newCounter: number
  readonly isSynced: boolean
  readonly now: Date
}

/** Notes a use; false when the passkey was removed, or used with another counter, meanwhile. Keeps it until the end. */
export async function markPasskeyUsed(tx: Tx, use: PasskeyUse): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter: use.newCounter, is_synced: use.isSynced, last_used_at: use.now })
    .where('id', '=', use.id)
    .where('counter', '=', use.counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
