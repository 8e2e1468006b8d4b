import type { Database } from '@papermoon/db'
import type { Kysely, Transaction } from 'kysely'
import type { UserId } from '../../ids.ts'

type Reader = Kysely<Database>
type Tx = Transaction<Database>

/** The hash of a player's password. */
export async function findPasswordHash(db: Reader, userId: UserId): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash
}

/** Makes a player's other changes of who they are wait until this one ends; returns the hash of their password. */
export async function lockUser(tx: Tx, userId: UserId): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.password_hash
}
