import type { FairKind, FairRecord } from '@papermoon/contract/fairs'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { MAY_RANK } from '../../database/conditions.ts'
import { PROVISIONAL_BELOW } from './rating.ts'

const LATEST = 10

interface ResultRow {
  readonly fairId: number
  readonly name: string
  readonly kind: FairKind
  readonly endedAt: Date
  readonly place: number
  readonly medal: number | null
  readonly isPaper: boolean
  readonly gold: number
  readonly silver: number
  readonly bronze: number
  readonly paper: number
}

const countMedals = (which: RawBuilder<unknown>) => sql`(count(*) filter (where ${which} and ${MAY_RANK}) over ())::int`

/** Returns a player's medals, latest ranks and rating in the house's fairs. */
export async function getRecord({ platform: { db } }: AppPart<'db'>, userId: UserId): Promise<FairRecord> {
  const { rows } = await sql<ResultRow>`
    select r.fair_id as "fairId", f.name, f.kind, coalesce(f.bell_at, f.settled_at) as "endedAt", r.place,
           case when ${MAY_RANK} then r.medal end as medal,
           r.is_paper as "isPaper", ${countMedals(sql`r.medal = 1 and not r.is_paper`)} as gold,
           ${countMedals(sql`r.medal = 2 and not r.is_paper`)} as silver,
           ${countMedals(sql`r.medal = 3 and not r.is_paper`)} as bronze, ${countMedals(sql`r.is_paper`)} as paper
      from fair_results r join fairs f on f.id = r.fair_id join users u on u.id = r.user_id
     where r.user_id = ${userId} and r.is_ranked and f.state = 'settled' and f.kind in ('arena', 'season')
     order by f.settled_at desc, f.id desc limit ${LATEST}`.execute(db)
  const rating = await db
    .selectFrom('fair_ratings as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .selectAll('r')
    .where('user_id', '=', userId)
    .where(MAY_RANK)
    .executeTakeFirst()
  const { gold = 0, silver = 0, bronze = 0, paper = 0 } = rows[0] ?? {}
  return {
    rating: rating === undefined ? null : Math.round(rating.rating),
    isProvisional: (rating?.fairs ?? 0) < PROVISIONAL_BELOW,
    arenas: rating?.fairs ?? 0,
    medals: { gold, silver, bronze, paper },
    latest: rows.map(({ fairId, name, kind, endedAt, place, medal, isPaper }) => {
      return { fairId, name, kind, endedAt: endedAt.toISOString(), place, medal, isPaper }
    }),
  }
}
