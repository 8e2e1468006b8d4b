import { text } from '@papermoon/contract/text'
import type { DatabaseClient } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { setWarning } from '../../features/moderation/acts.ts'
import { aboutPlayer, byCommand, recordAct } from '../../features/moderation/log.ts'
import { CommandError } from '../run-command.ts'
import { findUser } from './find-user.ts'

const WARNING_MAX = 500
const warningText = text('warning', WARNING_MAX)

/** Shows a player a warning across the top of every page. Throws `CommandError`. */
export async function warn({ db }: DatabaseClient, user: string, warning: string): Promise<string> {
  const parsed = warningText.safeParse(warning)
  if (!parsed.success) throw new CommandError(`The warning ${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
  const found = await findUser(db, user)
  await change(db, found.id, parsed.data)
  return `${found.name} now sees this warning: ${parsed.data}`
}

/** Removes a player's warning. Throws `CommandError`. */
export async function unwarn({ db }: DatabaseClient, user: string): Promise<string> {
  const found = await findUser(db, user)
  await change(db, found.id, null)
  return `${found.name} no longer sees a warning.`
}

async function change(db: DatabaseClient['db'], userId: UserId, warning: string | null): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const by = byCommand()
    const before = await setWarning(tx, userId, { warning, now: by.now })
    if (warning === null && before === null) return
    const entry = { ...by, ...aboutPlayer(userId) }
    await recordAct(tx, warning === null ? { ...entry, act: 'unwarn' } : { ...entry, act: 'warn', reason: warning })
  })
}
