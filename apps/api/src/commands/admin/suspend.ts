import { text } from '@papermoon/contract/text'
import type { AccountStatus, DatabaseClient } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type NewAccountStatus, setAccountStatus } from '../../features/moderation/acts.ts'
import { aboutPlayer, byCommand, recordAct } from '../../features/moderation/log.ts'
import type { CommandContext, ExitCode } from '../run-command.ts'
import { CommandError, parseArguments, UsageError } from '../run-command.ts'
import { findUser } from './find-user.ts'

const REASON_MAX = 300
const USAGE = 'The command suspend takes a player, --frozen and --reason "TEXT".'
const reasonText = text('reason', REASON_MAX)

/**
 * `suspend USER [--frozen] [--reason "TEXT"]`: suspends a player, who can then only log in, read and sell. With
 * `--frozen`, the player can do nothing. Throws `UsageError` and `CommandError`.
 */
export async function suspend({ openDatabase, say }: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const { user, isFrozen, reason } = parseSuspendArgs(args)
  const { db } = await openDatabase()
  const { id, name } = await findUser(db, user)
  const status = isFrozen ? 'frozen' : 'suspended'
  await change({ db }, id, { status, reason })
  const means = isFrozen
    ? 'cannot log in or do anything; live connections are closed'
    : 'can log in, read and sell, but cannot buy, launch, rug or create API keys'
  say(`${name} is ${status}${reason === null ? '' : ` (${reason})`}: ${means}.`)
  return 0
}

/** Lets a suspended or frozen player do everything again. Throws `CommandError`. */
export async function unsuspend({ db }: Pick<DatabaseClient, 'db'>, user: string): Promise<string> {
  const { id, name } = await findUser(db, user)
  const before = await change({ db }, id, { status: 'active', reason: null })
  if (before === 'active') throw new CommandError(`${name} is not suspended.`)
  return `${name} is no longer ${before}.`
}

/** Changes the account's status. Returns the previous status. */
async function change(
  { db }: Pick<DatabaseClient, 'db'>,
  userId: UserId,
  { status, reason }: Pick<NewAccountStatus, 'status' | 'reason'>,
): Promise<AccountStatus> {
  return await db.transaction().execute(async (tx) => {
    const by = byCommand()
    const before = await setAccountStatus(tx, userId, { status, reason, now: by.now })
    if (status === 'active' && before === 'active') return before
    await recordAct(tx, {
      ...by,
      ...aboutPlayer(userId),
      act: status === 'active' ? 'unsuspend' : 'suspend',
      detail: { status: before, to: status },
      ...(reason !== null && { reason }),
    })
    return before
  })
}

function parseSuspendArgs(args: readonly string[]): { user: string; isFrozen: boolean; reason: string | null } {
  const options = { frozen: { type: 'boolean', default: false }, reason: { type: 'string' } } as const
  const { values, positionals } = parseArguments(args, options, USAGE)
  const [user, ...more] = positionals
  if (user === undefined || user.trim() === '' || more.length > 0) throw new UsageError(USAGE)
  return { user, isFrozen: values.frozen, reason: values.reason === undefined ? null : toReason(values.reason) }
}

function toReason(given: string): string {
  const reason = reasonText.safeParse(given)
  if (reason.success) return reason.data
  throw new CommandError(`The reason ${reason.error.issues[0]?.message ?? 'is not valid'}.`)
}
