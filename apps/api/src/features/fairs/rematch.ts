import { nameFair } from '@papermoon/contract/fair-tokens'
import { type CreateFairInput, type created, createInput } from '@papermoon/contract/fairs'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { OrderTerms } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { findUsername } from '../account/public.ts'
import { lockPosition, notifyPlayers } from '../notices/public.ts'
import { HOUSE_TOKENS, hashNetwork, insertFair, toNewFairs } from './create.ts'
import { createInvite, enterFair, getFairFor } from './enter.ts'
import { FairNotFoundError, FairRuleError } from './errors.ts'
import { checkFairs } from './keep-fairs.ts'
import { lockFair } from './store.ts'

/**
 * Enters the rematch of a room that has ended. The first caller creates and hosts the rematch. The room's other players
 * are notified. Throws `FairNotFoundError`, `FairRuleError`, `TooManyFairsError` and `RateLimitedError`.
 */
export async function rematch(
  ctx: Context & OrderTerms,
  { id }: { readonly id: number },
): Promise<z.output<typeof created>> {
  const { app, userId } = ctx
  const seen = await getFairFor(app, userId, { id })
  if (seen.kind !== 'room') throw new FairRuleError('Only a room can have a rematch.')
  if (seen.state === 'lobby' || seen.state === 'open') throw new FairRuleError('This room has not ended yet.')
  const isNamedAfterHost = seen.host !== null && seen.name === nameFair(seen.host.username, 'room')
  const name = isNamedAfterHost ? nameFair(await findUsername(app.platform.db, userId), 'room') : seen.name
  const host = { userId, invite: createInvite(), madeFrom: await hashNetwork(ctx), rematchOf: id }
  const known = await findRematch(app.platform.db, id)
  if (known === undefined) await app.accounts.limits.spendAccount(ctx, 'hourly', toNewFairs(userId))
  const made = await app.platform.db.transaction().execute(async (tx) => {
    const room = await lockFair(tx, id)
    if (room === undefined || room.ends_at === null) throw new FairNotFoundError()
    const other = await findRematch(tx, id)
    if (other !== undefined) return { id: other, isNew: false }
    const minutes = (room.ends_at.getTime() - room.starts_at.getTime()) / MINUTE_MS
    const next = await insertFair(tx, host, toSettings({ ...room, name, minutes }))
    await notifyPlayersOf(tx, { id, next, actorId: userId })
    return { id: next, isNew: true }
  })
  checkFairs(app)
  const fair = await getFairFor(app, userId, made)
  if (made.isNew) return { fair, invite: host.invite }
  const isOpen = fair.state === 'lobby' || (fair.state === 'open' && fair.lateEntry)
  return { fair: isOpen ? await enterFair(ctx, made) : fair, invite: null }
}

/** Returns the id of a room's rematch, unless the rematch is void. */
async function findRematch(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('fairs')
    .select('id')
    .where('rematch_of', '=', id)
    .where('state', '<>', 'void')
    .executeTakeFirst()
  return row?.id
}

type Room = NonNullable<Awaited<ReturnType<typeof lockFair>>> & { readonly minutes: number }

/** Returns the settings of a room as its host chose them. A pause of launches is not copied. */
function toSettings(room: Room): CreateFairInput {
  const isPaused = room.launches === 'nobody' && room.house_tokens !== HOUSE_TOKENS
  return createInput.parse({
    kind: 'room',
    name: room.name,
    minutes: Math.round(room.minutes),
    stake: room.stake,
    launches: isPaused ? 'all' : room.launches,
    rugs: room.rugs,
    lateEntry: room.late_entry,
    depth: room.depth,
    bots: room.bots,
  })
}

interface Rematch {
  readonly id: number
  readonly next: number
  readonly actorId: UserId
}

/**
 * Invites the players of a room to its rematch, except players who have blocked the host or are blocked by the host.
 */
async function notifyPlayersOf(tx: Tx, { id, next, actorId }: Rematch): Promise<void> {
  const { rows } = await sql<{ userId: UserId }>`
    select a.user_id as "userId" from fairs.accounts a
     where a.fair_id = ${id} and a.left_at is null and a.user_id <> ${actorId}
       and not exists (select from blocks b where b.user_id in (a.user_id, ${actorId})
         and b.blocked_user_id in (a.user_id, ${actorId}))`.execute(tx)
  await lockPosition(tx)
  await notifyPlayers(
    tx,
    rows.map(({ userId }) => ({
      userId,
      kind: 'mention',
      key: `rematch ${next} ${userId}`,
      tokenId: null,
      actorId,
      seq: null,
      detail: { rematchId: next },
    })),
  )
}
