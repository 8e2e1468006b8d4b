import { Decimal, solText } from '@papermoon/amm'
import type { ApiKeyId } from '@papermoon/contract/keys'
import type { ApiScope } from '@papermoon/contract/procedure'
import type { Database, Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Insertable, sql } from 'kysely'
import type { Caller } from '../../../context.ts'
import { IS_BOT } from '../../../database/conditions.ts'

/** Columns in `api_keys` for an API key's spending limit and what the key has spent. */
export const SPENDING_COLUMNS = ['spending_limit', 'spent', 'spent_on'] as const

interface SpendingRow {
  readonly spending_limit: string | null
  readonly spent: string
  readonly spent_on: string | null
}

interface KeySpending {
  /** Max SOL that the key may spend per UTC day. Null means no limit. */
  readonly spendingLimit: string | null
  /** SOL that the key spent today. This amount is null if the key has no spending limit. */
  readonly spentToday: string | null
}

export async function insertKey(tx: Tx, key: Insertable<Database['api_keys']>): Promise<ApiKeyId> {
  const { id } = await tx.insertInto('api_keys').values(key).returning('id').executeTakeFirstOrThrow()
  return id as ApiKeyId
}

/** Finds a player's keys, newest first. */
export async function findPlayerKeys(db: Db, userId: UserId) {
  return await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'scopes', 'created_at', 'last_used_at', 'expires_at', 'networks', ...SPENDING_COLUMNS])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Deletes an API key of a player. Returns the key's hash and name, or null if the player has no such key. */
export async function deleteKey(
  db: Db,
  userId: UserId,
  id: ApiKeyId,
): Promise<{ readonly keyHash: Buffer; readonly name: string } | null> {
  const row = await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['key_hash as keyHash', 'name'])
    .executeTakeFirst()
  return row ?? null
}

export interface FoundKey extends Caller {
  readonly id: ApiKeyId
  readonly hasSpendingLimit: boolean
  readonly scopes: readonly ApiScope[]
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly networks: readonly string[]
}

/** Finds the key with this hash. */
export async function findKey(db: Db, keyHash: Buffer): Promise<FoundKey | undefined> {
  return await db
    .selectFrom('api_keys')
    .innerJoin('users as u', 'u.id', 'api_keys.user_id')
    .select(['api_keys.id', 'user_id as userId', 'standing as accountStatus', IS_BOT.as('isBot'), 'scopes', 'networks'])
    .select(['last_used_at as lastUsedAt', 'expires_at as expiresAt'])
    .select(sql<boolean>`spending_limit is not null`.as('hasSpendingLimit'))
    .where('key_hash', '=', keyHash)
    .$castTo<FoundKey>()
    .executeTakeFirst()
}

/** Returns the valid keys: those that are not revoked or expired and belong to an account that is not frozen. */
export async function findValidKeys(db: Db, keyHashes: readonly Buffer[], now: Date): Promise<Buffer[]> {
  const { rows } = await sql<{ key_hash: Buffer }>`
    select k.key_hash from api_keys k join users u on u.id = k.user_id
     where k.key_hash = any(${keyHashes}::bytea[]) and (k.expires_at is null or k.expires_at > ${now})
       and u.standing <> 'frozen'`.execute(db)
  return rows.map((row) => row.key_hash)
}

export async function markUsed(db: Db, keyHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('key_hash', '=', keyHash).execute()
}

/** Returns a key's spending limit per UTC day, and what the key has spent today. */
export function toKeySpending({ spending_limit, spent, spent_on }: SpendingRow, now: Date): KeySpending {
  if (spending_limit === null) return { spendingLimit: null, spentToday: null }
  // Compare with `>=`, because the day comes from the node that counted an order, and that node's clock may be ahead.
  const isToday = spent_on !== null && spent_on >= now.toISOString().slice(0, 10)
  return {
    spendingLimit: solText(new Decimal(spending_limit)),
    spentToday: isToday ? solText(new Decimal(spent)) : '0',
  }
}
