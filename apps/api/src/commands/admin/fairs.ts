import { createInput, ENTRANTS_MAX } from '@papermoon/contract/fairs'
import { text } from '@papermoon/contract/text'
import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { endByOperator } from '../../features/fairs/administer.ts'
import { drawBots } from '../../features/fairs/open-fair.ts'
import { createSecret } from '../../features/fairs/schedule.ts'
import { byCommand } from '../../features/moderation/log.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { type CommandContext, CommandError, type ExitCode, parseArguments, UsageError } from '../run-command.ts'
import { csv } from './reports.ts'

const USAGE =
  'The command fairs takes list, create "NAME" [--at TIME] [--minutes N] [--stake SOL] [--bots N] [--rugs], rename ID "NAME", end ID, or void ID "REASON".'
const HEADER = ['id', 'kind', 'name', 'host', 'state', 'starts_at', 'ends_at', 'entrants', 'note']
const LISTED_MAX = 1_000
const BELL_WINDOW_S = 60
const HOUSE_TOKENS = 4
const reasonText = text('reason', 300)

/** `fairs list | create | rename | end | void`: manages fairs. Throws `UsageError` and `CommandError`. */
export async function fairs(context: CommandContext, [name, ...args]: readonly string[]): Promise<ExitCode> {
  const [id = '', words = ''] = args
  const { db } = await context.openDatabase()
  if (name === 'list' && args.length === 0) context.write(await listFairs(db))
  else if (name === 'create') context.say(await create(db, args))
  else if (name === 'end' && args.length === 1) context.say(await end(db, id))
  else if (name === 'void' && args.length === 2) context.say(await makeVoid(db, id, words))
  else if (name === 'rename' && args.length === 2) context.say(await rename(db, id, words))
  else throw new UsageError(USAGE)
  return 0
}

async function listFairs(db: Db): Promise<string> {
  const { rows } = await sql<Record<string, string | number | Date | null>>`
    select f.id, f.kind, f.name, h.username as host, f.state, f.starts_at,
           case f.state when 'settled' then f.bell_at else f.ends_at end as ends_at,
           (select count(*)::int from fairs.accounts a where a.fair_id = f.id) as entrants, f.note
      from fairs f left join users h on h.id = f.host_id where f.id > 1 order by f.id desc limit ${LISTED_MAX}`.execute(
    db,
  )
  const cell = (value: string | number | Date | null | undefined) =>
    value instanceof Date ? value.toISOString() : (value ?? '')
  return csv([HEADER, ...rows.map((row) => HEADER.map((column) => cell(row[column])))])
}

/** Creates a house arena, whose lobby opens now. */
async function create(db: Db, args: readonly string[]): Promise<string> {
  const options = {
    at: { type: 'string' },
    minutes: { type: 'string' },
    stake: { type: 'string' },
    bots: { type: 'string' },
    rugs: { type: 'boolean', default: false },
  } as const
  const { values, positionals } = parseArguments(args, options, USAGE)
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new UsageError(USAGE)
  const { at, minutes, stake, bots, rugs } = values
  const input = createInput.safeParse({
    kind: 'sandbox',
    name,
    stake,
    startsAt: at,
    rugs,
    ...(minutes !== undefined && { minutes: Number(minutes) }),
    ...(bots !== undefined && { bots: Number(bots) }),
  })
  if (!input.success) {
    const { path, message } = input.error.issues[0] ?? { path: [], message: 'is not valid' }
    throw new CommandError(`${path[0] === 'startsAt' ? 'at' : String(path[0])} ${message}.`)
  }
  const given = input.data
  const startsAt = given.startsAt ?? new Date(Date.now() + MINUTE_MS)
  const secret = createSecret()
  const found = (await drawBots(db, { secret, bots: given.bots })).length
  if (found < given.bots)
    throw new CommandError(`Only ${found} bots can enter it. npm run admin -- bots create creates house bots.`)
  const row = await db
    .insertInto('fairs')
    .values({
      kind: 'arena',
      name: given.name,
      stake: given.stake.toFixed(),
      rugs,
      bots: given.bots,
      limits_bots: false,
      lobby_at: new Date(),
      starts_at: startsAt,
      ends_at: new Date(startsAt.getTime() + given.minutes * MINUTE_MS),
      bell_window_s: BELL_WINDOW_S,
      secret,
      house_tokens: given.bots > 0 ? HOUSE_TOKENS : 0,
      entrants_max: ENTRANTS_MAX,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw new CommandError('Another arena of the house begins at this time. Choose another time.')
  return `Fair ${row.id} (${given.name}) is open for entries. It begins at ${startsAt.toISOString()}.`
}

async function end(db: Db, text: string): Promise<string> {
  const { id, name, state } = await findFair(db, text)
  if (state === 'settled' || state === 'void') throw new CommandError(`Fair ${id} (${name}) has already ended.`)
  await endByOperator(db, { ...byCommand(), fairId: id, isVoid: false })
  return `Fair ${id} (${name}) has ended${state === 'lobby' ? ' before it began' : '. A running server writes its results'}.`
}

async function rename(db: Db, text: string, given: string): Promise<string> {
  const { id, name } = await findFair(db, text)
  const renamed = createInput.shape.name.safeParse(given)
  if (!renamed.success) throw new CommandError(`The name ${renamed.error.issues[0]?.message ?? 'is not valid'}.`)
  await db.updateTable('fairs').set({ name: renamed.data }).where('id', '=', id).execute()
  return `Fair ${id} (${name}) is now named ${renamed.data}.`
}

async function makeVoid(db: Db, text: string, given: string): Promise<string> {
  const { id, name, state } = await findFair(db, text)
  if (state === 'void') throw new CommandError(`Fair ${id} (${name}) is already void.`)
  const reason = reasonText.safeParse(given)
  if (!reason.success) throw new CommandError(`The reason ${reason.error.issues[0]?.message ?? 'is not valid'}.`)
  await endByOperator(db, { ...byCommand(), fairId: id, isVoid: true, reason: reason.data })
  return `Fair ${id} (${name}) is void and does not count: ${reason.data}`
}

async function findFair(db: Db, text: string) {
  const fair = /^\d{1,9}$/.test(text)
    ? await db
        .selectFrom('fairs')
        .select(['id', 'name', 'state'])
        .where('id', '=', Number(text))
        .where('id', '>', 1)
        .executeTakeFirst()
    : undefined
  if (fair === undefined) throw new CommandError(`There is no fair ${text}.`)
  return fair
}
