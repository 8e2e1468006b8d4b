import { parseArgs } from 'node:util'

/** An argument is invalid. The error's message is a sentence for the caller. */
export class UsageError extends Error {}
/** The load test could not run. The error's message is a sentence for the caller. */
export class LoadError extends Error {}

export interface LoadArguments {
  readonly url: string
  readonly players: number
  readonly rate: number
  readonly seconds: number
  readonly seed: string
  /** Path of a file with API keys. If the path is null, the load test registers new players. */
  readonly keysFile: string | null
  readonly isRamp: boolean
}

export const RATE_MAX = 5_000

export const USAGE = `Trades on a Papermoon server with many players and measures its responses.

  npm run bots -- [--players 100] [--rate 50] [--seconds 30] [--seed 1] [--url http://localhost:3000]

  --players N    number of players, up to 5,000, which the program registers first
  --rate N       mean number of orders a second, up to ${RATE_MAX.toLocaleString('en')}, without waiting for responses
  --seconds N    duration, up to 3,600; with --ramp, duration of each step (default 10)
  --seed TEXT    a seed that gives the same tempers and times in each run
  --url URL      URL of the server
  --keys FILE    file with API keys of existing players, as JSON or one key a line, which only you can read
  --ramp         raises the rate until the 99th percentile exceeds 250 ms, and prints the highest rate before
  --help         prints this text
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
 * Parses the command line. Returns null if the caller asked for help. Throws a `UsageError` that names the invalid
 * argument.
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

/** Shortens Node's message to its first sentence, which says what is wrong. */
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
