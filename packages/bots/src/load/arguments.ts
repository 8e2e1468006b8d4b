import { parseArgs } from 'node:util'

/** An invalid argument. The message is a sentence for the caller. */
export class UsageError extends Error {}
/** The load test could not run. The message is a sentence for the caller. */
export class LoadError extends Error {}

export interface LoadArguments {
  readonly url: string
  readonly players: number
  readonly rate: number
  readonly seconds: number
  readonly seed: string
  /** Path of a file with API keys; null to register players. */
  readonly keysFile: string | null
  readonly isRamp: boolean
}

export const RATE_MAX = 5_000

export const USAGE = `Trades on a Papermoon server with many players and measures how it answers.

  npm run bots -- [--players 100] [--rate 50] [--seconds 30] [--seed 1] [--url http://localhost:3000]

  --players N    players that trade, up to 5,000; they are registered first, as anybody is
  --rate N       orders a second in the mean, up to ${RATE_MAX.toLocaleString('en')}; they come when they come, answered or not
  --seconds N    how long, up to 3,600; with --ramp how long each step takes (10)
  --seed TEXT    repeats the same players' tempers and the same moments
  --url URL      the server
  --keys FILE    API keys of existing players instead of registering, as JSON or a key a line, readable by you alone
  --ramp         raises the rate until the 99th percentile passes 250 ms, and says where
  --help         this text
`

const OPTIONS = {
  players: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  seed: { type: 'string' },
  url: { type: 'string' },
  keys: { type: 'string' },
  ramp: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/**
 * Parses the command line; null if the caller asked for help. Throws a `UsageError` that names the invalid argument.
 */
export function parseLoadArguments(args: readonly string[]): LoadArguments | null {
  const values = parseOptions(args)
  if (values.help) return null
  const isRamp = values.ramp ?? false
  return {
    url: parseUrl(values.url ?? 'http://localhost:3000'),
    players: parseNumber('players', values.players ?? '100', { min: 1, max: 5_000, isWhole: true }),
    rate: parseNumber('rate', values.rate ?? '50', { min: 0.1, max: RATE_MAX, isWhole: false }),
    seconds: parseNumber('seconds', values.seconds ?? (isRamp ? '10' : '30'), { min: 1, max: 3_600, isWhole: false }),
    seed: values.seed ?? '1',
    keysFile: values.keys ?? null,
    isRamp,
  }
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError(describeParseError(error))
  }
}

/** Shortens Node's message, which first says what is wrong, then how to pass something else. */
function describeParseError(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  const [, option] = /'(?:-\w, )?(--?[^' ]+)/.exec(message) ?? []
  const known = Object.keys(OPTIONS)
    .map((name) => `--${name}`)
    .join(', ')
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${option}. The options are ${known}.`
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
    return `${/'[^']*'/.exec(message)?.[0] ?? 'An argument'} belongs to no option. The options are ${known}.`
  }
  return `${message.split('. ')[0]?.replace(/\.$/, '')}.`
}

interface Range {
  readonly min: number
  readonly max: number
  readonly isWhole: boolean
}

function parseNumber(name: string, text: string, { min, max, isWhole }: Range): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value
  const kind = isWhole ? 'a whole number' : 'a number'
  throw new UsageError(`--${name} must be ${kind} from ${min} to ${max}, and not ${JSON.stringify(text)}.`)
}

function parseUrl(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '') return url.origin
  throw new UsageError(`--url must be an address such as http://localhost:3000, and not ${JSON.stringify(text)}.`)
}
