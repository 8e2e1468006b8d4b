import { resolve } from 'node:path'
import type { Config } from './config.ts'

const CODES_SHOWN =
  'SHOW_RESET_CODES=on: anyone who asks gets the reset code of any account. Set SMTP_URL before others come.'

/** Sentences about unsafe or unused settings. */
export function listWarnings({ unusedSettings, rateLimit, resetCodesShown }: Config): string[] {
  return [
    ...(unusedSettings.length === 0 ? [] : [describeUnused(unusedSettings)]),
    ...(rateLimit ? [] : ['RATE_LIMIT=off: nothing limits how often anybody calls.']),
    ...(resetCodesShown ? [CODES_SHOWN] : []),
  ]
}

function describeUnused(names: readonly string[]): string {
  const [are, them] = names.length === 1 ? ['no longer does', 'it'] : ['no longer do', 'them']
  return `${new Intl.ListFormat('en').format(names)} ${are} anything: take ${them} away (docs/operations/settings.md).`
}

interface Start {
  readonly address: string
  readonly config: Config
  /** Whether the history of a demo world is being written. */
  readonly hasBegun: boolean
  readonly isTerminal: boolean
}

/** The text printed once the server listens: one line for programs, and on a terminal the next steps for people. */
export function describeStart({ address, config, hasBegun, isTerminal }: Start): string {
  const first = `Papermoon is at ${address}\n`
  if (!isTerminal) return first
  const database = config.databaseUrl === null ? 'Its data is' : 'Its database is that of DATABASE_URL; its files are'
  return `${first}
${database} in ${resolve(config.dataDir)}.
${hasBegun ? DEMO_BEGINS : ''}Open the address, register, and launch a token with the 100 SOL you are given.
Ctrl-C stops the server; the next start finds everything again.
`
}

const DEMO_BEGINS = `The fair is being set up: two weeks of history, and bots of the house that trade on, in a few seconds.
For an empty market: DEMO=off DATA_DIR=.empty npm start\n`

/** The line printed once the history of a demo world is written. */
export function describeWrittenHistory(made: {
  tokens: number
  trades: number
  bots: number
  seconds: number
}): string {
  const count = (number: number) => number.toLocaleString('en')
  return `The fair is open: ${count(made.tokens)} tokens, ${count(made.trades)} trades, ${made.bots} bots (${made.seconds.toFixed(1)} s).\n`
}
