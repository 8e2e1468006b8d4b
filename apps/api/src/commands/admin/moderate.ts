import { text } from '@papermoon/contract/text'
import type { AccountStatus, DatabaseClient } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type NewAccountStatus, setAccountStatus, setWarning } from '../../features/moderation/acts.ts'
import { hideToken } from '../../features/moderation/hide-token.ts'
import { aboutPlayer, byCommand, recordAct } from '../../features/moderation/log.ts'
import { type CommandContext, CommandError, type ExitCode, parseArguments, UsageError } from '../run-command.ts'
import { type FoundToken, findToken, findUser } from './store.ts'

const REASON_MAX = 300
const USAGE = 'The command suspend takes a player, --frozen and --reason "TEXT".'
const reasonText = text('reason', REASON_MAX)

/**
 * `suspend USER [--frozen] [--reason "TEXT"]`: suspends a player, who can then only log in, read and sell. With
 * `--frozen`, the player cannot even log in. Throws `UsageError` and `CommandError`.
 */
export async function suspend({ openDatabase, say }: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const { user, isFrozen, reason } = parseSuspendArgs(args)
  const { db } = await openDatabase()
  const { id, name } = await findUser(db, user)
  const status = isFrozen ? 'frozen' : 'suspended'
  await changeStatus({ db }, id, { status, reason })
  const means = isFrozen
    ? 'cannot log in or do anything; live connections are closed'
    : 'can log in, read and sell, but cannot buy, launch, rug or create API keys'
  say(`${name} is ${status}${reason === null ? '' : ` (${reason})`}: ${means}.`)
  return 0
}

/** Lets a suspended or frozen player do everything again. Throws `CommandError`. */
export async function unsuspend({ db }: Pick<DatabaseClient, 'db'>, user: string): Promise<string> {
  const { id, name } = await findUser(db, user)
  const before = await changeStatus({ db }, id, { status: 'active', reason: null })
  if (before === 'active') throw new CommandError(`${name} is not suspended.`)
  return `${name} is no longer ${before}.`
}

/** Changes the account's status. Returns the previous status. */
async function changeStatus(
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

/** Hides a token. A hidden token is not listed and can only be sold. Throws `CommandError`. */
export async function hide({ db }: DatabaseClient, token: string): Promise<string> {
  const found = await findTokenOrFail(db, token)
  if (found.hidden_at !== null) throw new CommandError(`${describeToken(found)} is already hidden.`)
  await changeHidden(db, found.id, true)
  return `${describeToken(found)} is hidden from lists and search. Its holders can only sell.`
}

/** Shows a hidden token again. Throws `CommandError`. */
export async function unhide({ db }: DatabaseClient, token: string): Promise<string> {
  const found = await findTokenOrFail(db, token)
  if (found.hidden_at === null) throw new CommandError(`${describeToken(found)} is not hidden.`)
  await changeHidden(db, found.id, false)
  return `${describeToken(found)} is in lists and search again, and can be traded.`
}

async function changeHidden(db: DatabaseClient['db'], tokenId: TokenId, isHidden: boolean): Promise<void> {
  await db.transaction().execute((tx) => hideToken(tx, { ...byCommand(), tokenId, isHidden }))
}

async function findTokenOrFail(db: DatabaseClient['db'], text: string): Promise<FoundToken> {
  const token = await findToken(db, text)
  if (token === undefined) throw new CommandError(`There is no token ${text}.`)
  return token
}

function describeToken({ id, name, symbol }: FoundToken): string {
  return `Token ${id} (${name}, ${symbol})`
}

const WARNING_MAX = 500
const warningText = text('warning', WARNING_MAX)

/** Shows a player a warning across the top of every page. Throws `CommandError`. */
export async function warn({ db }: DatabaseClient, user: string, warning: string): Promise<string> {
  const parsed = warningText.safeParse(warning)
  if (!parsed.success) throw new CommandError(`The warning ${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
  const found = await findUser(db, user)
  await changeWarning(db, found.id, parsed.data)
  return `${found.name} now sees this warning: ${parsed.data}`
}

/** Removes a player's warning. Throws `CommandError`. */
export async function unwarn({ db }: DatabaseClient, user: string): Promise<string> {
  const found = await findUser(db, user)
  await changeWarning(db, found.id, null)
  return `${found.name} no longer sees a warning.`
}

async function changeWarning(db: DatabaseClient['db'], userId: UserId, warning: string | null): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const by = byCommand()
    const before = await setWarning(tx, userId, { warning, now: by.now })
    if (warning === null && before === null) return
    const entry = { ...by, ...aboutPlayer(userId) }
    await recordAct(tx, warning === null ? { ...entry, act: 'unwarn' } : { ...entry, act: 'warn', reason: warning })
  })
}
