import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Db, ModerationLogTable, Tx } from '@papermoon/db'
import { ID_MAX, type UserId } from '@papermoon/engine'
import { type Selectable, sql } from 'kysely'
import { LOCK_IDS } from '../../database/take-lock.ts'
import { lockPosition, notifyPlayers } from '../notices/public.ts'

/** Acts that respond to a player's request. Such acts do not change the outcome of a report. */
const ANSWERS = ['undo', 'refuse-appeal']

type LogRow = Selectable<ModerationLogTable>

const GENESIS = Buffer.alloc(32)

const PAGE = 1_000

const SALT_BYTES = 16

/** Who performs the act: a player in a role, or an operator's command. */
export interface Actor {
  readonly userId: UserId | null
  readonly as: LogRow['as_role']
}

export interface Act {
  readonly actor: Actor
  readonly act: string
  readonly kind: LogRow['kind']
  readonly targetId: number
  readonly concernedId: number | null
  readonly caseId?: number | null
  readonly undoes?: number | null
  /** Data for undoing the act, without texts of players. */
  readonly detail?: Readonly<Record<string, string | number | null>>
  /** The text that the act is about, and the moderator's reason. Both texts are deleted after the retention period. */
  readonly words: string
  readonly reason: string
  readonly now: Date
}

/** Returns the fields of a log row for an act that is only about a player. */
export function aboutPlayer(userId: UserId) {
  return { kind: 'player', targetId: userId, concernedId: userId, words: '' } as const
}

/** Returns the fields of a log row for an operator's command. The command can replace the reason. */
export function byCommand() {
  return { actor: { userId: null, as: 'command' }, reason: 'By an operator’s command', now: new Date() } as const
}

/**
 * Appends an act to the log. The hash of each row covers the row before it, even if that row was removed. Returns the
 * row's id.
 */
export async function appendAct(tx: Tx, act: Act): Promise<number> {
  await sql`select pg_advisory_xact_lock(${LOCK_IDS.moderationLog})`.execute(tx)
  // Also look for the newest row in the log itself, because earlier versions do not update `moderation_head`.
  const { rows } = await sql<{ id: number; hash: Buffer }>`
    (select id, hash from moderation_log order by id desc limit 1)
    union all select log_id, hash from moderation_head order by id desc limit 1`.execute(tx)
  const [last] = rows
  const salt = randomBytes(SALT_BYTES)
  const row = {
    id: (last?.id ?? 0) + 1,
    at: act.now,
    actor_id: act.actor.userId,
    as_role: act.actor.as,
    act: act.act,
    kind: act.kind,
    target_id: act.targetId,
    concerned_id: act.concernedId,
    case_id: act.caseId ?? null,
    undoes: act.undoes ?? null,
    detail: JSON.stringify(act.detail ?? {}),
    words_hash: hashWords(salt, act.words, act.reason),
  }
  const hash = hashRow(last?.hash ?? GENESIS, row)
  const head = { log_id: row.id, hash }
  await tx
    .insertInto('moderation_log')
    .values({ ...row, hash })
    .execute()
  await tx
    .insertInto('moderation_head')
    .values(head)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(head))
    .execute()
  const { words, reason } = act
  await tx.insertInto('moderation_words').values({ log_id: row.id, salt, words, reason }).execute()
  return row.id
}

/**
 * Returns the first log row that is missing or whose hash does not match its content; null if the chain is intact.
 * `after` and `through` limit the rows. The check proves nothing if someone with write access to the database rewrote
 * both the log and its last hash.
 */
export async function findBreak(db: Db, { after = 0, through = ID_MAX } = {}): Promise<number | null> {
  // Read the newest id before the rows, because more rows may be appended meanwhile.
  const newest = await db.selectFrom('moderation_head').select('log_id').executeTakeFirst()
  const before = await db.selectFrom('moderation_log').select('hash').where('id', '=', after).executeTakeFirst()
  if (before === undefined && after > 0) return after
  let id = after
  let head = before?.hash ?? GENESIS
  for (;;) {
    const rows = await db
      .selectFrom('moderation_log as l')
      .leftJoin('moderation_words as w', 'w.log_id', 'l.id')
      .selectAll('l')
      .select(['w.salt', 'w.words', 'w.reason'])
      .where('l.id', '>', id)
      .where('l.id', '<=', through)
      .orderBy('l.id')
      .limit(PAGE)
      .execute()
    for (const { salt, words, reason, ...row } of rows) {
      const isWhole = salt === null || hashWords(salt, words ?? '', reason ?? '').equals(row.words_hash)
      if (row.id !== id + 1 || !isWhole || !hashRow(head, row).equals(row.hash)) return id + 1
      id = row.id
      head = row.hash
    }
    if (rows.length < PAGE) return id < Math.min(newest?.log_id ?? 0, through) ? id + 1 : null
  }
}

function hashWords(salt: Buffer, words: string, reason: string): Buffer {
  return createHash('sha256')
    .update(salt)
    .update(JSON.stringify([words, reason]))
    .digest()
}

function hashRow(head: Buffer, row: Omit<LogRow, 'hash'>): Buffer {
  const { id, at, actor_id, as_role, act, kind, target_id, concerned_id, case_id, undoes, detail, words_hash } = row
  const ids = [id, at.toISOString(), actor_id, as_role, act, kind, target_id, concerned_id, case_id, undoes]
  return createHash('sha256')
    .update(head)
    .update(JSON.stringify([...ids, detail, words_hash.toString('hex')]))
    .digest()
}

/**
 * Appends an act to the log, and notifies the player whom it concerns and the players who reported the thing. Some
 * acts, such as a note, cause no notices. Returns the row's id.
 */
export async function recordAct(tx: Tx, act: Act): Promise<number> {
  // Create notices before locking the log, because nothing may wait while the log is locked.
  await notify(tx, act)
  return await appendAct(tx, act)
}

async function notify(tx: Tx, { act, kind, concernedId, caseId = null }: Act): Promise<void> {
  const reporters =
    caseId === null || ANSWERS.includes(act)
      ? []
      : await tx.selectFrom('reports').select('user_id').where('case_id', '=', caseId).execute()
  const recipients = [
    ...reporters.map(({ user_id }) => ({ userId: user_id, isReport: 1 })),
    // Do not notify the accused player about a dismissed report, because nothing changed for them.
    ...(concernedId === null || act === 'dismiss' ? [] : [{ userId: concernedId, isReport: 0 }]),
  ]
  if (recipients.length === 0) return
  await lockPosition(tx)
  // Each act has its own notice. The newest notice about a thing shows its current state.
  const once = randomUUID()
  await notifyPlayers(
    tx,
    recipients.map(({ userId, isReport }) => ({
      userId: userId as UserId,
      kind: 'moderation',
      key: `${act} ${once} ${userId} ${isReport}`,
      tokenId: null,
      actorId: null,
      seq: null,
      detail: { act, about: kind, isReport },
    })),
  )
}
