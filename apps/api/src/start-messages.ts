import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { isLoopback } from './security/client-address.ts'

const CODES_SHOWN =
  'SHOW_RESET_CODES=on: anyone who asks gets the reset code of any account. Set SMTP_URL before others come.'

/** Lists warnings about unsafe or unused settings. */
export function listWarnings(config: Config): string[] {
  const { unusedSettings, rateLimit, resetCodesShown } = config
  const plain = listPlainSettings(config)
  return [
    ...(unusedSettings.length === 0 ? [] : [describeUnused(unusedSettings)]),
    ...(rateLimit ? [] : ['RATE_LIMIT=off: there are no rate limits.']),
    ...(resetCodesShown ? [CODES_SHOWN] : []),
    ...(hasDevelopmentPassword(config) ? [DEVELOPMENT_PASSWORD] : []),
    ...(plain.length === 0
      ? []
      : [`Others on the network can read the data sent to ${plain.join(', ')}, because the URL does not use TLS.`]),
  ]
}

const DEVELOPMENT_PASSWORD =
  'A password is the default for development. Set POSTGRES_PASSWORD, MINIO_PASSWORD and REDIS_PASSWORD together with PUBLIC_URL.'

/**
 * Returns whether a server that other people use still has a default password from docker-compose.yml or
 * deploy/compose.yml.
 */
function hasDevelopmentPassword({ publicUrl, databaseUrl, redisUrl, s3 }: Config): boolean {
  if (publicUrl === null || isLoopback(new URL(publicUrl).hostname)) return false
  return [databaseUrl, redisUrl, s3?.secretKey].some((text) => text?.includes('for-development-only') === true)
}

/** Lists settings that name a server on another machine without TLS. */
function listPlainSettings({ databaseUrl, redisUrl, s3, backup, tracing, smtpUrl }: Config): string[] {
  const addresses = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    S3_URL: s3?.endpoint,
    BACKUP_S3_URL: backup.to?.startsWith('s3:') === true ? backup.s3?.endpoint : null,
    OTEL_EXPORTER_OTLP_ENDPOINT: tracing?.endpoint,
    SMTP_URL: smtpUrl,
  }
  return Object.entries(addresses).flatMap(([name, address]) => (address != null && isPlain(address) ? [name] : []))
}

function isPlain(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, searchParams } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  // A host name without a dot is in a container's own network.
  if (host === '' || isLoopback(host) || !/[.:]/.test(host)) return false
  if (protocol.startsWith('postgres')) {
    return [null, 'disable', 'false', '0'].includes(searchParams.get('sslmode') ?? searchParams.get('ssl'))
  }
  if (protocol === 'smtp:') return searchParams.get('requireTLS') === 'false'
  return ['redis:', 'http:'].includes(protocol)
}

function describeUnused(names: readonly string[]): string {
  return `These settings have no effect: ${names.join(', ')}. docs/operations/settings.md says which replace them.`
}

interface Start {
  /** The URL to print if PUBLIC_URL is not set. */
  readonly address: string
  readonly config: Config
  /** Whether the history of a demo world is being written. */
  readonly hasBegun: boolean
  /** URL of the separate port for metrics. The URL is null if there is no such port. */
  readonly metricsAddress: string | null
  readonly isTerminal: boolean
}

/**
 * Returns the text to print when the server listens: one line for programs, or the next steps for people on a terminal.
 */
export function describeStart({ address, config, hasBegun, metricsAddress, isTerminal }: Start): string {
  const first = `Papermoon is at ${config.publicUrl ?? address}\n`
  if (!isTerminal) return first
  const database = config.databaseUrl === null ? 'Its data is' : 'It uses the database of DATABASE_URL; its files are'
  return `${first}
${database} in ${resolve(config.dataDir)}.
${metricsAddress === null ? '' : `Its metrics are at ${metricsAddress}, for this machine only.\n`}${hasBegun ? DEMO_BEGINS : ''}Open the address in a browser, register, and launch a token with the 100 SOL you get.
Ctrl-C stops the server. The next start keeps all data.
`
}

const DEMO_BEGINS = `The server is creating a demo market: two weeks of history, and house bots that trade. This takes a few seconds.
For an empty market: DEMO=off DATA_DIR=.empty npm start\n`

/** Returns the line to print when the history of a demo world is complete. */
export function describeWrittenHistory(made: {
  tokens: number
  trades: number
  bots: number
  seconds: number
}): string {
  const count = (number: number) => number.toLocaleString('en')
  return `The demo market is ready: ${count(made.tokens)} tokens, ${count(made.trades)} trades, ${made.bots} bots (${made.seconds.toFixed(1)} s).\n`
}
