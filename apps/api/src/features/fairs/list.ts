import type { FairList, listInput } from '@papermoon/contract/fairs'
import type { UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { AppPart } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { drawBots } from './open-fair.ts'
import { findCurrentFairs, findEndedFairs, toFair } from './store.ts'

/** Returns the fairs that a caller can see: all upcoming and running fairs, and a page of ended fairs. */
export async function listFairs(
  { platform: { db } }: AppPart<'db'>,
  userId: UserId | null,
  { cursor, limit }: z.output<typeof listInput>,
): Promise<FairList> {
  const before = cursor === undefined ? null : parseCursor(cursor)
  const current = await findCurrentFairs(db, userId)
  const ended = await findEndedFairs(db, userId, { before, limit })
  const last = ended.length === limit ? ended.at(-1) : undefined
  return {
    upcoming: current.filter(({ state }) => state === 'lobby').map((row) => toFair(row, userId)),
    running: current.filter(({ state }) => state === 'open').map((row) => toFair(row, userId)),
    ended: ended.map((row) => toFair(row, userId)),
    houseBots: (await drawBots(db, { secret: Buffer.of(), bots: 1 })).length > 0,
    nextCursor: last === undefined ? null : `${Number(last.settled_at)}-${last.id}`,
  }
}

function parseCursor(cursor: string): { at: Date; id: number } {
  const [, ms, id] = /^(\d{1,14})-(\d{1,9})$/.exec(cursor) ?? []
  if (ms === undefined) throw new BadInputError('cursor must be the nextCursor of this list.')
  return { at: new Date(Number(ms)), id: Number(id) }
}
