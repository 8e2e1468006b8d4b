import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { stringify } from 'csv-stringify/sync'
import { findEvents } from '../../features/account/records/list-events.ts'
import { printable } from '../../features/leaderboard/get.ts'
import { closeWindow, settleTrades } from '../../features/leaderboard/giveaway/close-window.ts'
import {
  beginsWindow,
  doubtsAbout,
  type GiveawayWindow,
  giveawayWindow,
  lastWindowOver,
  objectionsTo,
  overSince,
} from '../../features/leaderboard/giveaway/giveaway-window.ts'
import {
  findRecordedWindows,
  findWinners,
  firstLaunchAt,
  isRecorded,
} from '../../features/leaderboard/giveaway/window-store.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { escapeFormulas } from '../../lib/text.ts'
import { type CommandContext, CommandError, type ExitCode, parseArguments, UsageError } from '../run-command.ts'
import { findUser } from './store.ts'

const USAGE = 'The command winners takes one argument: when a window began, or --list.'

/** Max number of giveaway windows that are listed: more than a year at four windows a day. */
const LISTED_MAX = 2_000

const HOUR_MS = 3_600_000

const WINDOW_START = /^(\d{4}-\d\d-\d\d)[T ](\d\d)(?::00(?::00(?:\.0{1,3})?)?)?Z?$/

const HEADER = [
  'window_start window_end rank user_id username wallet profit_sol trades counterparties source_user_id',
  'source_percent source_shares_browser account_created_at account_age_hours eligible why_not doubts',
].flatMap((names) => names.split(' '))

/**
 * `winners [START]`: prints the recorded winners of a giveaway window, by default the last finished one. `winners
 * --list` lists all windows.
 */
export async function reportWinners(
  { openDatabase, write }: CommandContext,
  args: readonly string[],
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, { list: { type: 'boolean', default: false } }, USAGE)
  const [start] = positionals
  if (args.length > 1) throw new UsageError(USAGE)
  if (values.list) {
    write(await formatWindows((await openDatabase()).db))
    return 0
  }
  const window = start === undefined ? lastWindowOver(new Date()) : parseWindow(start)
  assertOver(window)
  write(await formatWinners((await openDatabase()).db, window))
  return 0
}

async function formatWindows(db: Db): Promise<string> {
  const windows = await findRecordedWindows(db, LISTED_MAX)
  const rows = windows.map(({ since, closedAt, winners }) => [since.toISOString(), closedAt.toISOString(), winners])
  return csv([['window_start', 'closed_at', 'winners'], ...rows])
}

async function formatWinners(db: Db, window: GiveawayWindow): Promise<string> {
  await closeIfOpen(db, window)
  const [start, end] = [window.since.toISOString(), window.until.toISOString()]
  const rows = (await findWinners(db, window.since)).map((winner) => {
    const objections = objectionsTo(winner, window)
    return [
      start,
      end,
      winner.rank,
      winner.user_id,
      winner.username,
      printable(winner.wallet),
      winner.profit,
      winner.trades,
      winner.counterparties,
      winner.source_user_id ?? '',
      winner.source_percent ?? '',
      winner.source_percent === null ? '' : winner.source_shares_browser ? 'yes' : 'no',
      winner.account_created_at.toISOString(),
      Math.floor((window.until.getTime() - winner.account_created_at.getTime()) / HOUR_MS),
      objections.length === 0 ? 'yes' : 'no',
      objections.join('; '),
      doubtsAbout(winner).join('; '),
    ]
  })
  return csv([HEADER, ...rows])
}

/** Closes the window if it is still open. Normally, a running server closes giveaway windows. */
async function closeIfOpen(db: Db, window: GiveawayWindow): Promise<void> {
  if (await isRecorded(db, window.since)) return
  const launchedAt = await firstLaunchAt(db)
  if (launchedAt === null || launchedAt >= window.until) {
    throw new CommandError(`Nothing was traded before ${window.until.toISOString()}.`)
  }
  if (!(await settleTrades({ db }))) {
    throw new CommandError('A transaction that may contain trades of the window is still open. Try again in a minute.')
  }
  await closeWindow(db, window, new Date())
}

function parseWindow(text: string): GiveawayWindow {
  const [, day, hour] = WINDOW_START.exec(text) ?? []
  const since = new Date(`${day}T${hour}:00:00.000Z`)
  // Check the parsed date, because `Date` rejects some nonexistent dates and moves others to the next month.
  const isTime = !Number.isNaN(since.getTime()) && since.toISOString().startsWith(`${day}T${hour}`)
  if (!isTime || !beginsWindow(since)) {
    throw new UsageError(
      `${text} is not the start of a window. Give a day and 00, 06, 12 or 18 h UTC, such as 2026-01-05T06:00Z.`,
    )
  }
  return giveawayWindow(since)
}

function assertOver(window: GiveawayWindow): void {
  if (new Date() >= overSince(window)) return
  throw new CommandError(
    `The window from ${window.since.toISOString()} to ${window.until.toISOString()} is not over yet. Its winners are known ten seconds after its end.`,
  )
}

/** Formats rows as CSV (RFC 4180). Text is quoted, and spreadsheets never treat it as a formula. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return stringify([...rows], { quoted_string: true, record_delimiter: 'windows', cast: { string: escapeFormulas } })
}

const DAYS_MAX = 90
const PAGE = 1_000
const EVENTS_HEADER = ['at', 'kind', 'times', 'address', 'browser', 'detail']

/** `events USER [--days N]`: prints an account's events as CSV, newest first. */
export async function reportEvents(
  { openDatabase, write }: CommandContext,
  args: readonly string[],
): Promise<ExitCode> {
  const { user, days } = parseEventsArgs(args)
  const { db } = await openDatabase()
  const { id } = await findUser(db, user)
  write(csv([EVENTS_HEADER]))
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
