import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { findEvents } from '../../features/account/records/list-events.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { findUser } from '../admin/find-user.ts'
import type { CommandContext, ExitCode } from '../run-command.ts'
import { parseArguments, UsageError } from '../run-command.ts'
import { csv } from './report-winners.ts'

const DAYS_MAX = 90
const PAGE = 1_000
const HEADER = ['at', 'kind', 'times', 'address', 'browser', 'detail']

/** `events USER [--days N]`: prints an account's events as CSV, newest first. */
export async function reportEvents(
  { openDatabase, write }: CommandContext,
  args: readonly string[],
): Promise<ExitCode> {
  const { user, days } = parseEventsArgs(args)
  const { db } = await openDatabase()
  const { id } = await findUser(db, user)
  write(csv([HEADER]))
  await writeEvents(db, { userId: id, since: new Date(Date.now() - days * DAY_MS) }, write)
  return 0
}

async function writeEvents(
  db: Db,
  { userId, since }: { readonly userId: UserId; readonly since: Date },
  write: (text: string) => void,
): Promise<void> {
  let before: { readonly at: Date; readonly id: number } | null = null
  for (;;) {
    const page: Awaited<ReturnType<typeof findEvents>> = await findEvents(db, { userId, since, before, limit: PAGE })
    write(csv(page.map(toRow)))
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    before = last
  }
}

function toRow({ at, kind, times, address, browser, detail }: Awaited<ReturnType<typeof findEvents>>[number]) {
  const facts = Object.entries(detail).map(([name, value]) => `${name}: ${value}`)
  return [at.toISOString(), kind, times, address ?? '', browser ?? '', facts.join('; ')]
}

function parseEventsArgs(args: readonly string[]): { user: string; days: number } {
  const usage = `The command events takes a player, and --days with 1 to ${DAYS_MAX}.`
  const options = { days: { type: 'string', default: String(DAYS_MAX) } } as const
  const { positionals, values } = parseArguments(args, options, usage)
  const [user, ...more] = positionals
  const { days } = values
  const isDays = /^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= DAYS_MAX
  if (user === undefined || more.length > 0 || !isDays) throw new UsageError(usage)
  return { user, days: Number(days) }
}
