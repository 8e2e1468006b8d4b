import { type LaunchRecord, launchRecord } from '@papermoon/contract/users'
import { formatNumeric } from '@papermoon/db'
import type { MarketEvent, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { CachedQuery } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { visibleTokens } from '../../database/visible-tokens.ts'
import { CREATED_MAX } from '../../holdings/created-tokens.ts'
import { UserNotFoundError } from './errors.ts'

const launchRecordQuery: CachedQuery<UserId, LaunchRecord> = {
  name: 'launch record',
  schema: launchRecord,
  key: String,
  weight: () => 1,
  // Events contain every launch and rug pull, so it never goes stale.
  isFresh: () => true,
  scope: () => 'market',
  applyEvents: (known, events, id) => ({ data: known, stale: events.some((event) => changesRecord(event, id)) }),
}

function changesRecord(event: MarketEvent, id: UserId): boolean {
  if (event.type === 'token_launched') return event.creator.id === id
  return event.type === 'rug_pull' && event.userId === id
}

/** Counts what a player did with launched tokens. Throws `UserNotFoundError`. */
export async function getLaunchRecord(app: App, id: UserId): Promise<LaunchRecord> {
  return await app.market.queryCache.get(launchRecordQuery, id, () => readLaunchRecord(app, id))
}

async function readLaunchRecord({ platform: { db } }: App, id: UserId): Promise<LaunchRecord> {
  const { rows } = await sql<{ launched: number; rugged: number; taken: string }>`
    select count(t.id)::int as launched, count(r.token_id)::int as rugged, coalesce(sum(r.amount), 0) as taken
      from users u
      left join lateral (
        select id from ${visibleTokens} v where creator_id = u.id order by id desc limit ${CREATED_MAX}
      ) t on true
      left join rugs r on r.token_id = t.id
     where u.id = ${id}
     group by u.id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new UserNotFoundError()
  return { launched: row.launched, rugged: row.rugged, ruggedAmount: formatNumeric(row.taken) }
}
