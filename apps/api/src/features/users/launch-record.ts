import { type LaunchRecord, launchRecord } from '@papermoon/contract/users'
import { formatNumeric } from '@papermoon/db'
import type { MarketEvent, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { CachedQuery } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { verdicts, visibleTokens } from '../../database/conditions.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { CREATED_MAX } from '../portfolio/public.ts'
import { UserNotFoundError } from './store.ts'

const launchRecordQuery: CachedQuery<UserId, LaunchRecord> = {
  name: 'launch record',
  schema: launchRecord,
  key: String,
  weight: () => 1,
  // The cached result expires after a while, because there are no events for verdicts. Launches and rug pulls have
  // events, which update the result.
  isFresh: (atMs, nowMs) => Math.abs(nowMs - atMs) < MINUTE_MS,
  scope: () => 'market',
  applyEvents: (known, events, id) => ({ data: known, stale: events.some((event) => changesRecord(event, id)) }),
}

function changesRecord(event: MarketEvent, id: UserId): boolean {
  if (event.type === 'token_launched') return event.creator.id === id
  return event.type === 'rug_pull' && event.userId === id
}

/** Counts a player's launches and their outcomes. Throws `UserNotFoundError`. */
export async function getLaunchRecord(app: App, id: UserId): Promise<LaunchRecord> {
  return await app.market.queryCache.get(launchRecordQuery, id, () => readLaunchRecord(app, id))
}

interface RecordRow {
  readonly launched: number
  readonly rugged: number
  readonly taken: string
  readonly fair_game: number
  readonly scoundrel: number
}

async function readLaunchRecord({ platform: { db, clock } }: App, id: UserId): Promise<LaunchRecord> {
  const { rows } = await sql<RecordRow>`
    select count(t.id)::int as launched, count(r.token_id)::int as rugged, coalesce(sum(r.amount), 0) as taken,
           count(*) filter (where f.verdict = 'fair game')::int as fair_game,
           count(*) filter (where f.verdict = 'scoundrel')::int as scoundrel
      from users u
      left join lateral (
        select id from ${visibleTokens} v where creator_id = u.id order by id desc limit ${CREATED_MAX}
      ) t on true
      left join rugs r on r.token_id = t.id
      left join ${verdicts} f on f.token_id = t.id and f.ended_at <= ${clock.now()}
     where u.id = ${id}
     group by u.id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new UserNotFoundError()
  const { launched, rugged, taken, fair_game: fairGame, scoundrel } = row
  return { launched, rugged, ruggedAmount: formatNumeric(taken), fairGame, scoundrel }
}
