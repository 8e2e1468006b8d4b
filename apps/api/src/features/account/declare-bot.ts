import type { BotDeclared, DeclareBotInput } from '@papermoon/contract/account'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../context.ts'
import { forgetNames } from './end-credentials.ts'
import { recordAccountEvent } from './records/account-events.ts'

/**
 * Declares a player's account as a bot, or as played by a person again. The database stores the period, because an
 * account that was a bot during any part of a giveaway window cannot win it. A declaration that changes nothing creates
 * no event.
 */
export async function declareBot(ctx: Context, userId: UserId, { isBot }: DeclareBotInput): Promise<BotDeclared> {
  const { app } = ctx
  const isChanged = await app.platform.db.transaction().execute(async (tx) => {
    if (!(await setKind(tx, { userId, isBot, at: app.platform.clock.now() }))) return false
    await recordAccountEvent(app, ctx, { userId, kind: isBot ? 'bot_declared' : 'bot_withdrawn' }, tx)
    return true
  })
  if (isChanged) {
    // Clear the caches, because orders read the account's kind from the cached caller.
    app.accounts.sessions.cache.clear()
    app.accounts.apiKeys.cache.clear()
    forgetNames(app)
  }
  return { isBot }
}

interface Declaration {
  readonly userId: UserId
  readonly isBot: boolean
  readonly at: Date
}

/** Returns whether the declaration changed the account's kind. A house bot's account is always a bot. */
async function setKind(tx: Tx, { userId, isBot, at }: Declaration): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ kind: isBot ? 'bot' : 'player' })
    .where('id', '=', userId)
    .where('kind', '=', isBot ? 'player' : 'bot')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  if (isBot) await openSpan(tx, userId, at)
  else await closeSpan(tx, userId, at)
  return true
}

/** Opens a period as a bot, or reopens one that began in the same millisecond. */
async function openSpan(tx: Tx, userId: UserId, at: Date): Promise<void> {
  await tx
    .insertInto('bot_spans')
    .values({ user_id: userId, since: at, until: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'since']).doUpdateSet({ until: null }))
    .execute()
}

/** Closes the open period as a bot. If the clock was set back, the period ends when it started. */
async function closeSpan(tx: Tx, userId: UserId, at: Date): Promise<void> {
  await tx
    .updateTable('bot_spans')
    .set((span) => ({ until: span.fn<Date>('greatest', [span.ref('since'), span.val(at)]) }))
    .where('user_id', '=', userId)
    .where('until', 'is', null)
    .execute()
}
