import type { Fair, removeInput, updateInput } from '@papermoon/contract/fairs'
import { FairEndedError, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import { createInvite, getFairFor, hashInvite, leaveFair } from './enter.ts'
import { FairNotFoundError, NotTheHostError } from './errors.ts'
import { checkFairs } from './keep-fairs.ts'
import { endFair, openFair } from './open-fair.ts'

/**
 * Changes the caller's fair: its end, its start, or who may launch. Throws `FairNotFoundError`, `NotTheHostError`,
 * `FairEndedError`, `TooManyFairsError`, or `FairRuleError` for the end of a running cup.
 */
export async function updateFair(
  app: App,
  userId: UserId,
  { id, launches, act }: z.output<typeof updateInput>,
): Promise<Fair> {
  const fair = await requireHost(app, userId, id)
  if (fair.state === 'settled' || fair.state === 'void') throw new FairEndedError()
  await app.platform.db.transaction().execute(async (tx) => {
    if (act === 'end') await endFair(tx, id, { byHost: true })
    if (launches !== undefined) await tx.updateTable('fairs').set({ launches }).where('id', '=', id).execute()
    if (act === 'start') await openFair(tx, id, { early: true })
  })
  checkFairs(app)
  return await getFairFor(app, userId, { id })
}

/** Creates a new code for a room's invite link. The previous code stops working. */
export async function renewInvite(app: App, userId: UserId, id: number): Promise<{ invite: string }> {
  const fair = await requireHost(app, userId, id)
  if (fair.kind !== 'room') throw new FairNotFoundError()
  const invite = createInvite()
  const { db } = app.platform
  await sql`update fairs set invite_hash = ${hashInvite(invite)} where id = ${id}`.execute(db)
  return { invite }
}

/** Removes a player from the caller's fair. Throws `FairRuleError` for a running cup. */
export async function removeFromFair(
  app: App,
  hostId: UserId,
  { id, userId }: z.output<typeof removeInput>,
): Promise<Fair> {
  await requireHost(app, hostId, id)
  await leaveFair(app, userId, { id, isRemoved: true })
  return await getFairFor(app, hostId, { id })
}

async function requireHost(app: App, userId: UserId, id: number): Promise<Fair> {
  const fair = await getFairFor(app, userId, { id })
  if (fair.me?.isHost !== true) throw new NotTheHostError()
  return fair
}
