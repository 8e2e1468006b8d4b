import type { BotDeclared, DeclareBotInput } from '@papermoon/contract/account'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../accounts/account-events.ts'
import { forgetNames } from '../../cache/forget-names.ts'
import type { Context } from '../../context.ts'

/**
 * Declares a player's account as a bot, or that a person plays again. The span is kept, so that switching back wins nothing in a
 * giveaway window in which the account was a bot at any moment. A declaration that changes nothing is no event.
 */
export async function declareBot(ctx: Context, userId: UserId, { isBot }: DeclareBotInput): Promise<BotDeclared> {
  const { app } = ctx
  const isChanged = await app.platform.db.transaction().execute(async (tx) => {
    if (!(await setKind(tx, { userId, isBot, at: app.platform.clock.now() }))) return false
    await recordAccountEvent(app, ctx, { userId, kind: isBot ? 'bot_declared' : 'bot_withdrawn' }, tx)
    return true
  })
  if (isChanged) {
    // Orders get the kind from the cached caller.
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

/** Whether the declaration changed the account's kind. An account of the house stays what it is. */
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

/** A span that began at the same millisecond is opened again. */
async function openSpan(tx: Tx, userId: UserId, at: Date): Promise<void> {
  await tx
    .insertInto('bot_spans')
    .values({ user_id: userId, since: at, until: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'since']).doUpdateSet({ until: null }))
    .execute()
}

/** Where the clock was set back, the span ends when it began. */
async function closeSpan(tx: Tx, userId: UserId, at: Date): Promise<void> {
  await tx
    .updateTable('bot_spans')
    .set((span) => ({ until: span.fn<Date>('greatest', [span.ref('since'), span.val(at)]) }))
    .where('user_id', '=', userId)
    .where('until', 'is', null)
    .execute()
}
