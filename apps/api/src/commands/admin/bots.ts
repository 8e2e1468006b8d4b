import { readFile } from 'node:fs/promises'
import { CHARACTERS } from '@papermoon/bots'
import type { DatabaseClient } from '@papermoon/db'
import { DomainError } from '@papermoon/engine'
import { z } from 'zod'
import { usernameKey } from '../../features/account/username-key.ts'
import { createHouseBots, type HouseCharacter, type HouseKey, renewHouseKeys } from '../../house/create-house-bots.ts'
import { findDemoWorld } from '../../house/demo-world.ts'
import { findHouseBots, type HouseBot, retireHouseBots } from '../../house/house-bots.ts'
import { parseJson } from '../../lib/text.ts'
import { createBadInput, listFieldErrors } from '../../validation/messages.ts'
import { type CommandContext, CommandError, type ExitCode, parseArguments, UsageError } from '../run-command.ts'

const USAGE = `The command bots takes one of:
  bots create [FILE] create the bots of a JSON file (a list of { name, emoji, about }), or the house's own bots; prints each API key once
  bots keys          replace the API keys of all house bots except those of a demo world; prints them once
  bots list          list the house bots with their SOL
  bots retire NAME … revoke their API keys and freeze them; --all for all bots
--json prints JSON instead of lines.`

const BOTS_MAX = 200
const DEMO_NAMES: ReadonlySet<string> = new Set(CHARACTERS.map(({ name }) => name))
const FILE_BYTES_MAX = 1_000_000
const charactersFile = z
  .array(z.object({ name: z.string(), emoji: z.string(), about: z.string() }))
  .min(1)
  .max(BOTS_MAX)

interface Call extends Pick<CommandContext, 'say' | 'write'> {
  readonly db: DatabaseClient['db']
  readonly names: readonly string[]
  readonly isJson: boolean
  readonly isAll: boolean
}

const parts: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  create: createBots,
  keys: renewKeys,
  list: listBots,
  retire: retireBots,
}

/**
 * `bots create | keys | list | retire`: manages the accounts of the house bots. Throws `UsageError` and `CommandError`.
 */
export async function bots({ openDatabase, say, write }: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const options = { json: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArguments(args, options, USAGE)
  const [name = '', ...names] = positionals
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (part === undefined || (values.all && name !== 'retire')) throw new UsageError(USAGE)
  const { db } = await openDatabase()
  await part({ db, names, isJson: values.json, isAll: values.all, say, write })
  return 0
}

async function createBots({ db, names, ...output }: Call): Promise<void> {
  const [file, ...more] = names
  if (more.length > 0) throw new UsageError(USAGE)
  const characters = file === undefined ? CHARACTERS : await readCharacters(file)
  try {
    printKeys(output, await createHouseBots(db, characters, { at: new Date() }))
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new CommandError(`Could not create the bots: ${createBadInput(listFieldErrors(error)).message}`)
    if (error instanceof DomainError) throw new CommandError(`Could not create the bots: ${error.message}`)
    throw error
  }
}

async function readCharacters(file: string): Promise<readonly HouseCharacter[]> {
  const json = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`The file ${file} does not exist.`)
  })
  const parsed = json.length > FILE_BYTES_MAX ? null : charactersFile.safeParse(parseJson(json))
  if (parsed?.success) return parsed.data
  throw new CommandError(`${file} must be a JSON list of 1 to ${BOTS_MAX} bots, each { name, emoji, about }.`)
}

async function renewKeys({ db, names, ...output }: Call): Promise<void> {
  if (names.length > 0) throw new UsageError(USAGE)
  const world = await findDemoWorld(db)
  const bots = await findHouseBots(db)
  // Skip a demo world's bots, because new keys would lock out the server that runs these bots.
  const isDemo = world?.state === 'running' || world?.state === 'retiring'
  const own = bots.filter(({ username }) => !isDemo || !DEMO_NAMES.has(username)).map((bot) => bot.username)
  printKeys(output, own.length === 0 ? [] : await renewHouseKeys(db, { at: new Date(), names: own }))
}

function printKeys({ isJson, say, write }: Pick<Call, 'isJson' | 'say' | 'write'>, keys: readonly HouseKey[]): void {
  if (isJson) {
    write(`${JSON.stringify(keys)}\n`)
    return
  }
  for (const { userId, name, key } of keys) say(`${userId}  ${name}  ${key}`)
  say(`${keys.length} ${keys.length === 1 ? 'key' : 'keys'}. They are shown only now.`)
}

async function listBots({ db, names, isJson, say, write }: Call): Promise<void> {
  if (names.length > 0) throw new UsageError(USAGE)
  const found = await findHouseBots(db)
  if (isJson) {
    write(`${JSON.stringify(found)}\n`)
    return
  }
  for (const bot of found) say(describeBot(bot))
  say(found.length === 0 ? 'The house has no bots.' : `The house has ${found.length} bots.`)
}

function describeBot({ id, emoji, username, status, balance, granted }: HouseBot): string {
  const state = status === 'frozen' ? ', retired' : ''
  return `${id}  ${emoji ?? ''} ${username}: ${balance} SOL of ${granted} SOL granted${state}`
}

async function retireBots({ db, names, isAll, isJson, say, write }: Call): Promise<void> {
  if (isAll === names.length > 0) throw new UsageError(USAGE)
  const found = await findHouseBots(db)
  const chosen = isAll ? found : names.map((name) => findByName(found, name))
  const retired = await retireHouseBots(
    db,
    chosen.map(({ id }) => id),
  )
  if (isJson) write(`${JSON.stringify({ retired })}\n`)
  else say(`${retired} ${retired === 1 ? 'bot' : 'bots'} retired. They keep what they hold.`)
}

function findByName(found: readonly HouseBot[], name: string): HouseBot {
  const bot = found.find(({ username }) => usernameKey(username) === usernameKey(name))
  if (bot === undefined) throw new CommandError(`There is no house bot ${name}.`)
  return bot
}
