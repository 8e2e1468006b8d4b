import { resolve } from 'node:path'
import type { Config } from './config.ts'

const CODES_SHOWN =
  'SHOW_RESET_CODES=on: anyone who asks gets the reset code of any account. Set SMTP_URL before others come.'
const METRICS_OPEN = 'METRICS=open goes with the next release: set METRICS_TOKEN, and give it to Prometheus.'

/** Sentences about unsafe or unused settings. */
export function listWarnings({ unusedSettings, rateLimit, resetCodesShown, metricsOpen }: Config): string[] {
  return [
    ...(unusedSettings.length === 0 ? [] : [describeUnused(unusedSettings)]),
    ...(rateLimit ? [] : ['RATE_LIMIT=off: nothing limits how often anybody calls.']),
    ...(resetCodesShown ? [CODES_SHOWN] : []),
    ...(metricsOpen ? [METRICS_OPEN] : []),
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
  /** The address of the metrics' own port; null: there is none. */
  readonly metricsAddress: string | null
  readonly isTerminal: boolean
}

/** The text printed once the server listens: one line for programs, and on a terminal the next steps for people. */
export function describeStart({ address, config, hasBegun, metricsAddress, isTerminal }: Start): string {
  const first = `Papermoon is at ${address}\n`
  if (!isTerminal) return first
  const database = config.databaseUrl === null ? 'Its data is' : 'Its database is that of DATABASE_URL; its files are'
  return `${first}
${database} in ${resolve(config.dataDir)}.
${metricsAddress === null ? '' : `Its metrics are at ${metricsAddress}, for this machine alone.\n`}${hasBegun ? DEMO_BEGINS : ''}Open the address, register, and launch a token with the 100 SOL you are given.
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
