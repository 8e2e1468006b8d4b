import type { DatabaseClient } from '@papermoon/db'
import { logout, makeResetCode, removeFactors, role } from './admin/access.ts'
import { bots } from './admin/bots.ts'
import { demo } from './admin/demo.ts'
import { fairs } from './admin/fairs.ts'
import { hide, suspend, unhide, unsuspend, unwarn, warn } from './admin/moderate.ts'
import { reportEvents, reportWinners } from './admin/reports.ts'
import { reportAudit } from './audit.ts'
import { type CommandContext, type ExitCode, UsageError } from './run-command.ts'

export const usage = `Usage: papermoon admin COMMAND

  warn USER "TEXT"   show a player a warning across the top of every page
  unwarn USER        remove the warning
  logout USER        end every session and API key of a player
  suspend USER       let a player only log in, read and sell; --frozen: nothing at all; --reason "TEXT" tells them why
  unsuspend USER     let them do everything again
  events USER        list what happened to an account in 90 days as CSV; --days N for fewer
  remove-factors USER
                     remove the app, recovery codes and passkeys of a player who has lost them
  reset-code USER    create a reset code for a player who forgot the password; make sure that the player asks for it
  role USER ROLE     make a player with a second factor a moderator or operator, or a player again
  hide TOKEN         remove a token from lists and search; its holders can only sell
  unhide TOKEN       show it in lists and search again, and allow trading
  winners [START]    list the winners of a window of six hours as CSV; the last window unless START names another
  winners --list     list the windows whose winners are recorded as CSV
  bots create [FILE] create accounts for house bots (the default ones or a JSON list of { name, emoji, about }) and print their API keys
  bots keys          replace and print their API keys; --json for programs
  bots list          list the house bots with their SOL
  bots retire NAME   revoke their API keys and freeze them; several names, or --all
  demo off           let the bots of the demo world sell their holdings slowly and leave; demo status shows the progress
  fairs list         list fairs as CSV, the newest first
  fairs create NAME  open the lobby of an arena: --at TIME, --minutes N, --stake SOL, --bots N, --rugs
  fairs rename ID "NAME"
  fairs end ID       end a fair now
  fairs void ID "REASON"
                     end a fair and void it: no medals, no rating
  audit              replay the journal and compare every figure (also: papermoon audit)

USER is an id, a username or an email; TOKEN is an id. START is a day and 00, 06, 12 or 18 h UTC: 2026-01-05T06:00Z.
Works with or without a running server, which shows the change within seconds.`

/** Commands with a fixed number of arguments. Each command returns a sentence that says what it did. */
const commands: Readonly<
  Record<string, { readonly arity: number; run(database: DatabaseClient, ...args: string[]): Promise<string> }>
> = {
  warn: { arity: 2, run: (database, user = '', text = '') => warn(database, user, text) },
  unwarn: { arity: 1, run: (database, user = '') => unwarn(database, user) },
  logout: { arity: 1, run: (database, user = '') => logout(database, user) },
  'remove-factors': { arity: 1, run: (database, user = '') => removeFactors(database, user) },
  'reset-code': { arity: 1, run: (database, user = '') => makeResetCode(database, user) },
  unsuspend: { arity: 1, run: (database, user = '') => unsuspend(database, user) },
  demo: { arity: 1, run: (database, what = '') => demo(database, what) },
  role: { arity: 2, run: (database, user = '', to = '') => role(database, user, to) },
  hide: { arity: 1, run: (database, token = '') => hide(database, token) },
  unhide: { arity: 1, run: (database, token = '') => unhide(database, token) },
}

export async function run(context: CommandContext, given: readonly string[]): Promise<ExitCode> {
  const [name = 'help', ...args] = given
  if (name === 'help') {
    context.say(usage)
    return given.length > 0 ? 0 : 2
  }
  if (name === 'audit' && args.length === 0) return await reportAudit(context)
  if (name === 'bots') return await bots(context, args)
  if (name === 'events') return await reportEvents(context, args)
  if (name === 'fairs') return await fairs(context, args)
  if (name === 'suspend') return await suspend(context, args)
  if (name === 'winners') return await reportWinners(context, args)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new UsageError(`There is no command ${name}.\n\n${usage}`)
  if (args.length !== command.arity || args.some((arg) => arg.trim() === '')) {
    const wanted = command.arity === 1 ? 'one argument' : `${command.arity} arguments; quote a text of several words`
    throw new UsageError(`The command ${name} takes ${wanted}.\n\n${usage}`)
  }
  context.say(await command.run(await context.openDatabase(), ...args))
  return 0
}
