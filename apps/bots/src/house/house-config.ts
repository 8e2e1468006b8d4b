import { readFile, stat } from 'node:fs/promises'
import type { Character } from '@papermoon/bots'

/** More bots than one process should run. */
const BOTS_MAX = 200

export interface HouseBot {
  readonly name: string
  /** An API key with the scopes read and trade. Never logged. */
  readonly key: string
  readonly character: Character
}

export interface HouseConfig {
  /** Base URL of the server. */
  readonly url: string
  readonly seed: string | number
  readonly bots: readonly HouseBot[]
  /** Mean looks at the market a second, of all bots together; by default what `@papermoon/bots` says. */
  readonly looksPerSecond?: number
}

/** More would be load, which `npm run bots` makes. */
const LOOKS_MAX = 100

/** The configuration cannot be used. The message names what is wrong, and no key. */
export class ConfigError extends Error {}

/** Reads the configuration from a file that only its owner can read. Throws `ConfigError`. */
export async function readConfigFile(path: string): Promise<HouseConfig> {
  return parseHouseConfig(await readPrivateFile(path))
}

/** The text of a file with secrets. Throws `ConfigError` if it is missing, or if others than its owner can read it. */
export async function readPrivateFile(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${path} cannot be read (${error.code}).`)
  })
  if ((found.mode & 0o077) !== 0 && process.platform !== 'win32') {
    throw new ConfigError(`${path} holds keys, and others may read it. Please run: chmod 600 ${path}`)
  }
  return await readFile(path, 'utf8')
}

/** Throws `ConfigError`. */
export function parseHouseConfig(text: string): HouseConfig {
  const { url, seed, bots, looksPerSecond } = Object(parseJson(text)) as Record<string, unknown>
  const address = typeof url === 'string' ? URL.parse(url) : null
  if (address === null || !/^https?:$/.test(address.protocol)) throw new ConfigError('"url" must be an http address.')
  if (typeof seed !== 'string' && typeof seed !== 'number') throw new ConfigError('"seed" must be a number or a text.')
  if (!Array.isArray(bots) || bots.length === 0 || bots.length > BOTS_MAX) {
    throw new ConfigError(`"bots" must be a list of 1 to ${BOTS_MAX}.`)
  }
  const config = { url: address.origin, seed, bots: bots.map(parseBot) }
  if (looksPerSecond === undefined) return config
  if (typeof looksPerSecond !== 'number' || !(looksPerSecond > 0 && looksPerSecond <= LOOKS_MAX)) {
    throw new ConfigError(`"looksPerSecond" must be above 0 and at most ${LOOKS_MAX}.`)
  }
  return { ...config, looksPerSecond }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error of JSON.parse quotes the text, which holds keys.
    throw new ConfigError('The configuration is not JSON.')
  }
}

function parseBot(value: unknown, index: number): HouseBot {
  const { name, key, character } = Object(value) as Record<string, unknown>
  const where = `"bots", entry ${index + 1}`
  if (typeof name !== 'string' || name === '') throw new ConfigError(`${where}: "name" must be a text.`)
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
    throw new ConfigError(`${where}: "key" must be an API key.`)
  return { name, key, character: parseCharacter(character, where) }
}

function parseCharacter(value: unknown, where: string): Character {
  const { name, strategy, temper } = Object(value) as Record<string, unknown>
  const figures = Object.values(Object(temper))
  const isComplete = typeof name === 'string' && typeof strategy === 'string' && figures.length > 0
  if (!isComplete || !figures.every(Number.isFinite)) {
    throw new ConfigError(`${where}: "character" must have a name, a strategy and a temper of numbers.`)
  }
  return value as Character
}
