import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { toWeek } from '../fairs/public.ts'
import { lockPosition, mayBeNotified, notifyPlayers, type PersonalCause } from '../notices/public.ts'
import { countStreak, toDay } from './keep-tapes.ts'

/** Max number of players whom one run reminds. The next run reminds the remaining players. */
const PLAYERS_MAX = 500

interface Due {
  readonly user_id: UserId
  /** Days on which the player played the daily game, up to today. */
  readonly played: readonly string[]
  readonly league_ends: boolean
}

/**
 * Reminds the players who chose this hour, each once a day, that they have not played today's game or that their league
 * ends today.
 */
export async function remindPlayers({ platform: { db, clock } }: App): Promise<void> {
  const now = clock.now()
  const today = toDay(now)
  await db.transaction().execute(async (tx) => {
    await lockPosition(tx)
    const { rows } = await sql<Due>`
      with due as (
        select s.user_id, sunday.is_member as league_ends
          from notice_settings s join users u on u.id = s.user_id cross join lateral (
            select extract(isodow from ${today}::date) = 7 and exists (
              select from league_members m where m.week = ${toWeek(now)} and m.user_id = s.user_id) as is_member
          ) sunday
         where s.reminder_hour = ${now.getUTCHours()} and (s.reminded_on is null or s.reminded_on < ${today}::date)
           and ${mayBeNotified(sql`'reminder'`)}
           and (sunday.is_member or not exists (
             select from tape_plays p where p.user_id = s.user_id and p.day = ${today}::date))
         limit ${PLAYERS_MAX} for update of s skip locked
      )
      update notice_settings s set reminded_on = ${today}::date from due where s.user_id = due.user_id
      returning s.user_id, due.league_ends,
        array(select p.day::text from tape_plays p where p.user_id = s.user_id order by p.day desc limit 1000) as played`.execute(
      tx,
    )
    await notifyPlayers(
      tx,
      rows.map((row) => toCause(row, today)),
    )
  })
}

function toCause({ user_id: userId, played, league_ends }: Due, today: string): PersonalCause {
  const days = new Set(played)
  return {
    userId,
    kind: 'reminder',
    key: `reminder:${userId}:${today}`,
    tokenId: null,
    actorId: null,
    seq: null,
    detail: {
      isTapeOpen: days.has(today) ? 0 : 1,
      streak: countStreak(days, today),
      leagueEnds: league_ends ? 1 : 0,
    },
  }
}
