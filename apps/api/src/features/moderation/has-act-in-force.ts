import type { CaseKind, Tx } from '@papermoon/db'
import { type RawBuilder, sql } from 'kysely'

/** The player or thing that a moderator's act is about. */
interface Subject {
  readonly kind: CaseKind
  readonly target_id: number
  readonly concerned_id: number | null
}

/**
 * SQL for those acts `o` that put a subject into a state, one condition per state. In a case about a post, an act on
 * the author also hides the post.
 */
const ACTS_BY_STATE = {
  suspended: sql`o.act = 'suspend'`,
  hidden: sql`(o.act = 'hide' or (o.kind = 'post' and o.case_id is not null
    and (o.act in ('mute', 'suspend') or (o.act = 'warn' and o.detail::json->>'state' = 'held'))))`,
}
export type CausedState = keyof typeof ACTS_BY_STATE

const IS_UNDONE = sql`exists (select from moderation_log u where u.undoes = o.id)`

/** Returns whether an act selected by `which` still keeps the subject suspended or hidden. */
export async function hasActInForce(
  tx: Tx,
  subject: Subject,
  so: CausedState,
  which: RawBuilder<unknown>,
): Promise<boolean> {
  return await hasAct(tx, subject, { so, which: sql`${which} and not ${IS_UNDONE}` })
}

/**
 * Returns whether any act suspended or hid the subject, even if it was undone. If there was no such act, the subject
 * was already in this state when the log began.
 */
export async function isMadeByAct(tx: Tx, subject: Subject, so: CausedState): Promise<boolean> {
  const wasSo =
    so === 'suspended' ? sql`o.detail::json->>'status' = 'suspended'` : sql`o.detail::json->>'wasHidden' = '1'`
  return await hasAct(tx, subject, { so, which: sql`(${wasSo}) is not true` })
}

/** Considers only acts after the last one that ended all earlier acts on the subject. */
async function hasAct(
  tx: Tx,
  { kind, target_id, concerned_id }: Subject,
  { so, which }: { readonly so: CausedState; readonly which: RawBuilder<unknown> },
): Promise<boolean> {
  const [about, ended] =
    so === 'suspended'
      ? [sql`true`, sql`o.act = 'unsuspend'`]
      : [sql`o.kind = ${kind} and o.target_id = ${target_id}`, sql`o.act in ('restore', 'release', 'unhide')`]
  const same = sql`o.concerned_id is not distinct from ${concerned_id} and ${about}`
  const { rows } = await sql`
    select from moderation_log o
     where ${same} and ${ACTS_BY_STATE[so]} and ${which}
       and o.id > coalesce((select max(o.id) from moderation_log o where ${same} and ${ended}), 0)
     limit 1`.execute(tx)
  return rows.length > 0
}

/** A moderator's act on a player. */
interface OnPlayer {
  readonly id: number
  readonly concerned_id: number
}

/** Returns the time at which another mute of the player ends; null if there is none. */
export async function findOtherMute(
  tx: Tx,
  { id, concerned_id }: OnPlayer,
  { fairId, now }: { readonly fairId: number; readonly now: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select max((o.detail::json->>'until')::timestamptz) as until from moderation_log o
     where o.concerned_id = ${concerned_id} and o.act = 'mute' and o.id <> ${id} and not ${IS_UNDONE}
       and coalesce((o.detail::json->>'fairId')::int, 0) = ${fairId}
       and (o.detail::json->>'until')::timestamptz > ${now}`.execute(tx)
  return rows[0]?.until ?? null
}

/**
 * Returns the text of the player's newest other warning in force. Returns null if there is none, or if its text was
 * deleted.
 */
export async function findOtherWarning(tx: Tx, { id, concerned_id }: OnPlayer): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`
    select w.reason from moderation_log o join moderation_words w on w.log_id = o.id
     where o.concerned_id = ${concerned_id} and o.act = 'warn' and o.id <> ${id} and not ${IS_UNDONE}
       and o.id > coalesce((select max(id) from moderation_log where concerned_id = ${concerned_id} and act = 'unwarn'), 0)
     order by o.id desc limit 1`.execute(tx)
  return rows[0]?.reason ?? null
}
