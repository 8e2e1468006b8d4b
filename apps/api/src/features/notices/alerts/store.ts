import type { Alert } from '@papermoon/contract/alerts'
import { type Database, type Db, formatNumeric, type Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Insertable, sql } from 'kysely'
import { visibleTokens } from '../../../database/conditions.ts'
import { defineError } from '../../../errors.ts'

export const ALERTS_MAX = 50

export class TooManyAlertsError extends defineError(
  'TOO_MANY_ALERTS',
  `You already have ${ALERTS_MAX} price alerts. Please remove one of them first.`,
  { details: { limit: 'alerts', maximum: ALERTS_MAX } },
) {}

/** The price was already reached, so the alert would never fire. */
export class AlertReachedError extends defineError(
  'ALERT_REACHED',
  'The price has already reached this value. Please choose another value.',
) {}

export class TokenRuggedError extends defineError(
  'TOKEN_CLOSED',
  'This token was rugged, so its price can no longer change.',
) {}

export interface PricedToken {
  readonly price: string
  readonly seq: number
  readonly supply: string
  readonly rugged_at: Date | null
}

/** Finds a visible token's current price and the sequence number of its last trade. */
export async function findPrice(db: Db, tokenId: TokenId): Promise<PricedToken | undefined> {
  return await db
    .selectFrom('pools as p')
    .innerJoin(visibleTokens.as('t'), 't.id', 'p.token_id')
    .select(['p.price', 'p.seq', 't.supply', 'p.rugged_at'])
    .where('p.token_id', '=', tokenId)
    .executeTakeFirst()
}

export async function countWaiting(db: Db, userId: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('price_alerts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertAlert(tx: Tx, alert: Insertable<Database['price_alerts']>): Promise<number> {
  const { id } = await tx.insertInto('price_alerts').values(alert).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Deletes a player's ended alerts, except the newest `ALERTS_MAX`. */
export async function trimEnded(tx: Tx, userId: UserId): Promise<void> {
  await sql`
    delete from price_alerts where id in (
      select id from price_alerts where user_id = ${userId} and done_at is not null
       order by done_at desc, id desc offset ${ALERTS_MAX})`.execute(tx)
}

/** Finds a player's alerts, newest first. With `id`, finds only this alert. */
export async function findAlerts(db: Db, userId: UserId, id: number | null = null): Promise<Alert[]> {
  const { rows } = await sql<AlertRow>`
    select a.id, json_build_object('id', t.id, 'name', t.name, 'symbol', t.symbol, 'emoji', t.emoji) as token, a.measure,
           a.value, a.direction, a.price, a.created_at as "createdAt", a.done_at as "doneAt",
           a.done_seq is not null as "isReached"
      from price_alerts a join ${visibleTokens} t on t.id = a.token_id
     where a.user_id = ${userId} and (${id}::int is null or a.id = ${id}::int)
     order by a.id desc limit ${2 * ALERTS_MAX}`.execute(db)
  return rows.map((row) => ({
    ...row,
    value: formatNumeric(row.value),
    price: formatNumeric(row.price),
    createdAt: row.createdAt.toISOString(),
    doneAt: row.doneAt?.toISOString() ?? null,
  }))
}

/** Deletes a player's alert; returns false if the player has no such alert. */
export async function deleteAlert(db: Db, userId: UserId, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('price_alerts')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

type AlertRow = Omit<Alert, 'createdAt' | 'doneAt'> & { readonly createdAt: Date; readonly doneAt: Date | null }
