import { measureReplica } from '../../database/replica-position.ts'
import { describeReplica } from '../../database/replica-state.ts'
import { CommandError } from '../command-error.ts'
import type { CommandContext, ExitCode } from '../run-command.ts'

/** `admin replica`: one sentence about the replica; exit code 1 while it cannot be used. */
export async function reportReplica({ openDatabase, openReplica, say }: CommandContext): Promise<ExitCode> {
  const replica = openReplica()
  if (replica === null) throw new CommandError('There is no replica: READ_DATABASE_URL is not set.')
  const { db } = await openDatabase()
  const state = await measureReplica(db, replica.client, replica.maxLagSeconds)
  say(describeReplica(state, replica.maxLagSeconds))
  return state.kind === 'usable' ? 0 : 1
}
