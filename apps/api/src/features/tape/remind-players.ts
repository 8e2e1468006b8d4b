import type { UserId } from '@papermoon/engine'
import { describeReminder, type NoticeFacts } from '@papermoon/format/notice-text'
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
  /** The player's verified email address, if the player chose to get the reminder by email, too. */
  readonly email: string | null
}

/**
 * Reminds the players who chose this hour, each once a day, that they have not played today's game or that their league
 * ends today. Sends the emails after the commit, so that no player gets two.
 */
export async function remindPlayers(app: App): Promise<void> {
  const { db, clock } = app.platform
  const now = clock.now()
  const today = toDay(now)
  const reminded = await db.transaction().execute(async (tx) => {
    await lockPosition(tx)
    const { rows } = await sql<Due>`
      with due as (
        select s.user_id, sunday.is_member as league_ends,
               case when s.reminder_by_mail and u.email_verified_at is not null then u.email end as email
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
      returning s.user_id, due.league_ends, due.email,
        array(select p.day::text from tape_plays p where p.user_id = s.user_id order by p.day desc limit 1000) as played`.execute(
      tx,
    )
    await notifyPlayers(
      tx,
      rows.map((row) => toCause(row, today)),
    )
    return rows
  })
  for (const due of reminded) if (due.email !== null) mailReminder(app, due.email, toReminder(due, today))
}

type Reminder = NonNullable<NoticeFacts['reminder']>

function toReminder({ played, league_ends }: Due, today: string): Reminder {
  const days = new Set(played)
  return { isTapeOpen: !days.has(today), streak: countStreak(days, today), leagueEnds: league_ends }
}

/** Mails a reminder, if this server sends mail and knows its public URL. */
function mailReminder({ platform: { mailer, config } }: App, to: string, reminder: Reminder): void {
  if (config.publicUrl === null) return
  const { title, body, path } = describeReminder({ reminder })
  const lines = [
    'Hello,',
    '',
    `${title}. ${body}`,
    '',
    `${config.publicUrl}${path}`,
    '',
    'You get this email because you chose a daily reminder by email. You can turn it off in Settings:',
    '',
    `${config.publicUrl}/settings#notifications`,
  ]
  mailer?.send({ to, subject: title, text: `${lines.join('\n')}\n`, canBeDropped: true })
}

function toCause(due: Due, today: string): PersonalCause {
  const { isTapeOpen, streak, leagueEnds } = toReminder(due, today)
  return {
    userId: due.user_id,
    kind: 'reminder',
    key: `reminder:${due.user_id}:${today}`,
    tokenId: null,
    actorId: null,
    seq: null,
    detail: { isTapeOpen: isTapeOpen ? 1 : 0, streak, leagueEnds: leagueEnds ? 1 : 0 },
  }
}
