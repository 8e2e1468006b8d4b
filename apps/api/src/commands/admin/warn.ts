import { text } from '@papermoon/contract/text'
import type { DatabaseClient } from '@papermoon/db'
import { recordOperatorEvent } from '../../accounts/operator-events.ts'
import { setWarning } from '../../moderation/acts.ts'
import { CommandError } from '../command-error.ts'
import { findUser } from './find-user.ts'

const WARNING_MAX = 500
const warningText = text('warning', WARNING_MAX)

/** Shows a player a warning across the top of every page. Returns a sentence; throws `CommandError`. */
export async function warn({ db }: DatabaseClient, user: string, warning: string): Promise<string> {
  const parsed = warningText.safeParse(warning)
  if (!parsed.success) throw new CommandError(`The warning ${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
  const found = await findUser(db, user)
  await db.transaction().execute(async (tx) => {
    await setWarning(tx, found.id, parsed.data)
    await recordOperatorEvent(tx, { userId: found.id, kind: 'warned', detail: { text: parsed.data } })
  })
  return `${found.name} is warned: ${parsed.data}`
}

/** Removes a player's warning. Returns a sentence; throws `CommandError`. */
export async function unwarn({ db }: DatabaseClient, user: string): Promise<string> {
  const found = await findUser(db, user)
  await setWarning(db, found.id, null)
  return `${found.name} has no warning any more.`
}
