import { ENTRANTS_MAX, type Fair } from '@papermoon/contract/fairs'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import type { OrderTerms } from '../../place-order.ts'
import { createSecret } from './bell.ts'
import { hashNetwork } from './create.ts'
import { findQuickArena, getFairFor, insertEntrants } from './enter.ts'
import { FairRuleError, TooManyFairsError } from './errors.ts'
import { lookAtFairs } from './keep-fairs.ts'
import { drawBots, findFullShare } from './open-fair.ts'
import { ARENA_BELL_S, ARENA_TOKENS, STAKE } from './schedule.ts'

const MINUTES = 5
const BOTS = 7

/**
 * Begins a quick arena and enters the caller. If the caller is already in one, returns that arena. Throws
 * `TooManyFairsError`. Throws `FairRuleError` without house bots, or if the caller left the last quick arena early.
 */
export async function beginQuickArena(ctx: Context & OrderTerms): Promise<Fair> {
  const { app, userId } = ctx
  const madeFrom = await hashNetwork(ctx)
  const now = app.platform.clock.now()
  const name = `Quick arena of ${now.toISOString().slice(11, 16)}`
  const id = await app.platform.db.transaction().execute((tx) => insertQuickArena(tx, { userId, madeFrom, name }))
  lookAtFairs(app)
  return await getFairFor(app, userId, { id })
}

interface Beginner {
  readonly userId: UserId
  readonly madeFrom: Buffer | null
  readonly name: string
}

async function insertQuickArena(tx: Tx, { userId, madeFrom, name }: Beginner): Promise<number> {
  const own = await findQuickArena(tx, userId)
  if (own?.hasLeft === true)
    throw new FairRuleError('You left your quick arena. You can begin another one when it has ended.')
  if (own !== undefined) return own.id
  const secret = createSecret()
  if ((await drawBots(tx, { secret, bots: 1 })).length === 0)
    throw new FairRuleError('A quick arena needs house bots, and this server has none.')
  const row = await tx
    .insertInto('fairs')
    .values({
      kind: 'arena',
      is_quick: true,
      name,
      stake: STAKE,
      host_id: userId,
      lobby_at: sql<Date>`now()`,
      starts_at: sql<Date>`now()`,
      ends_at: sql<Date>`now() + ${MINUTES * MINUTE_MS} * interval '1 ms'`,
      bell_window_s: ARENA_BELL_S,
      secret,
      bots: BOTS,
      house_tokens: ARENA_TOKENS,
      entrants_max: ENTRANTS_MAX,
      made_from: madeFrom,
    })
    .returning(['id', 'stake', 'kind'])
    .executeTakeFirstOrThrow()
  const full = await findFullShare(tx, row)
  if (full !== null) throw new TooManyFairsError(full)
  await insertEntrants(tx, row, [userId])
  return row.id
}
