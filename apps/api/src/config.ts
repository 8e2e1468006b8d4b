import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseNetwork } from '@papermoon/contract/networks'
import { z } from 'zod'
import { isLoopback } from './security/client-address.ts'
import { describeIssue } from './validation/messages.ts'

const onOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], 'must be on or off')
    .default(fallback)
    .transform((value) => value === 'on')

/** A comma-separated list of keys, each 32 bytes in base64. */
const keyList = z
  .string()
  .default('')
  .transform((list) => list.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .refine((list) => list.every(isSecretsKey), 'must be 32 random bytes in base64 (openssl rand -base64 32)')
  .transform((list) => list.map((key) => Buffer.from(key, 'base64')))

const settings = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .default('3000')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be 0 to 65535')
    .describe('Port to listen on.'),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('IP address to listen on. With `0.0.0.0`, the server listens on all addresses.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(path))
    .describe('Folder of the embedded PostgreSQL and of uploaded pictures. Each running server needs its own folder.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a URL that begins with postgres://')
    .optional()
    .describe(
      'URL of a PostgreSQL (15 or newer), as `postgres://user:password@host/database`. Without this setting, the server starts its own PostgreSQL.',
    ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must be a URL that begins with redis://')
    .optional()
    .describe(
      "URL of a Redis. With Redis, several servers see each other's trades at once instead of within a second, and count limits together.",
    ),
  S3_URL: z
    .string()
    .transform((url) => parseS3Url(url, /^\/[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/))
    .refine((s3) => s3 !== null, 'must be a URL like http://KEY:SECRET@minio:9000/BUCKET, percent-encoded')
    .optional()
    .describe(
      'URL of MinIO or another S3 for pictures, as `http://KEY:SECRET@minio:9000/BUCKET`, with `?region=eu-central-1` (default `us-east-1`). The server creates a missing bucket. In the secret, write `/` as `%2F` and `+` as `%2B`. Without this setting, the server stores pictures as files under `DATA_DIR`.',
    ),
  SMTP_URL: z
    .string()
    .refine(isMailServer, 'must be a URL that begins with smtp:// or smtps://')
    .optional()
    .describe(
      'URL of a mail server, as `smtps://user:password@mail.example.org` or `smtp://…:587`. The server sends password resets, account notices and (with `PUBLIC_URL`) email verification and daily reminders. On another machine, the mail server must offer TLS with a valid certificate. `?requireTLS=false` allows plain text.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]@[^\s@]+$/, 'must be an email address, with or without a name: Papermoon <moon@example.org>')
    .optional()
    .describe('The `From` header of mails. The default is `Papermoon <no-reply@…>` with the host of `PUBLIC_URL`.'),
  SECURITY_CONTACT: z
    .string()
    .regex(
      /^(https:\/\/[\x21-\x7e]+|[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+)$/,
      'must be an email address or an https:// URL',
    )
    .optional()
    .describe(
      'An email address or `https://` page for reports of vulnerabilities, shown in `/.well-known/security.txt`.',
    ),
  SHOW_RESET_CODES: onOff('off').describe(
    'Without `SMTP_URL`, `on` shows reset codes to every caller, so anyone can take over any account. `on` is not allowed with `PUBLIC_URL`. With `off`, the operator gives out reset codes ([mail](deploy.md#mail)).',
  ),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be a URL without a path, such as https://papermoon.example')
    .transform((url) => new URL(url).origin)
    .optional()
    .describe(
      'The URL that players see, as `https://papermoon.example`. Link previews contain this URL. With https, cookies are Secure and have the prefix `__Host-`.',
    ),
  TRUST_PROXY: z
    .string()
    .default('off')
    .transform((list) => (list === 'off' ? [] : list.split(',').map((part) => part.trim())))
    .refine((list) => list.every(isNetwork), 'must be off, or IP addresses or networks with commas between them')
    .describe(
      'Proxies that may forward the client address, as addresses or networks with commas between them: `127.0.0.1,10.0.0.0/8`.',
    ),
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((list) => (list === '' ? [] : list.split(',').map((part) => part.trim().toLowerCase())))
    .refine((list) => list.every(isHost), 'must be host names, with or without a port, with commas between them')
    .describe(
      'Hosts that the server answers, as `papermoon.example,localhost:3000`. Requests to other hosts get 421, except at `/healthz` and `/readyz`. Without this setting, the server answers all hosts.',
    ),
  DEMO: z
    .enum(['on', 'off'], 'must be on or off')
    .optional()
    .describe(
      'With `on`, an empty database gets a demo world whose house bots keep trading ([more](../bots.md#the-demo-world)). With `off`, there is no demo world and no house bot. By default, the demo world is on if `HOST` is loopback and none of `PUBLIC_URL`, `TRUST_PROXY` and `DATABASE_URL` is set.',
    ),
  FAIRS: z
    .enum(['on', 'off'], 'must be on or off')
    .optional()
    .describe(
      'With `on`, the house runs an arena each hour. With `off`, only players create fairs. The default is the value of `DEMO`.',
    ),
  COMMUNITY_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
    .default('/docs#community')
    .describe('URL that the Community link opens. By default, the link opens the page `/docs`.'),
  SECRETS_KEY: keyList.describe(
    'This key encrypts authenticator and webhook secrets. The key is 32 random bytes in base64 (`openssl rand -base64 32`), the same for every server. Without this setting, the key is in the database and therefore in a stolen dump. If you set several keys, separated by commas, the first encrypts and all decrypt.',
  ),
  PUSH: onOff('on').describe("With `off`, the server sends no push messages to players' devices."),
  WEBHOOKS: onOff('on').describe('With `off`, the server calls no webhooks and accepts no new webhooks.'),
  WEBHOOK_NETWORKS: z
    .string()
    .default('')
    .transform((list) => (list === '' ? [] : list.split(',').map((part) => parseNetwork(part.trim()))))
    .refine(
      (list) => list.every((network) => network !== null),
      'must be IP addresses or networks such as 10.0.0.0/8, with commas between them',
    )
    .transform((list) => list.filter((network) => network !== null))
    .describe(
      'Further addresses or networks that webhooks may call, at any port and also by http, with commas between them: `10.0.0.0/8,127.0.0.1`. Host names must be in DNS, not only in `/etc/hosts`. Every player can use webhooks to send requests to these addresses.',
    ),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be 0 to 300')
    .default('0')
    .transform(Number)
    .refine((seconds) => seconds <= 300, 'must be 0 to 300')
    .describe(
      'Seconds, at most 300, for which the server still serves requests after SIGTERM, while `/readyz` returns 503 ([more](upgrade.md#without-a-pause)).',
    ),
  RATE_LIMIT: onOff('on').describe(
    'With `off`, there are no rate limits and no proof of work. Use `off` only for load tests.',
  ),
  AUDIT_EVERY_HOURS: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number of hours; 0 for never')
    .default('24')
    .transform(Number)
    .describe('Hours between two audits of the whole journal. With `0`, the server runs no audits.'),
  BACKUP_TO: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A folder or `s3://BUCKET/FOLDER` for backups and the archive of all commits in between ([more](back-up.md)).',
    ),
  BACKUP_EVERY_HOURS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number of hours, 1 or more')
    .default('24')
    .transform(Number)
    .describe('Hours between two whole backups. The server checks each backup.'),
  BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number of backups, 1 or more')
    .default('7')
    .transform(Number)
    .describe('Number of checked backups that the server stores.'),
  BACKUP_KEY: keyList.describe(
    'This key encrypts backups. The key is 32 random bytes in base64 (`openssl rand -base64 32`). Store a copy of the key on another machine. If you set several keys, separated by commas, the first encrypts and all decrypt.',
  ),
  BACKUP_S3_URL: z
    .string()
    .transform((url) => parseS3Url(url, /^\/$/))
    .refine((s3) => s3 !== null, 'must be a URL like https://KEY:SECRET@s3.example.org, percent-encoded')
    .optional()
    .describe(
      'URL of the S3 for `s3://` backups, as `https://KEY:SECRET@s3.example.org`. The default is the S3 of `S3_URL`.',
    ),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable characters without spaces')
    .optional()
    .describe(
      'Token of at least 16 characters that Prometheus sends as `Authorization: Bearer`. Without this setting, `/metrics` is on a loopback port ([observe](observe.md#metrics)).',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(isCollector, 'must be the http(s) URL of a collector, such as http://localhost:4318')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('URL of an OpenTelemetry collector for traces, as `http://localhost:4318` (OTLP over HTTP).'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform((list) => (list === '' ? [] : list.split(',').map(parseHeader)))
    .refine(
      (list) => list.every((header) => header !== null),
      'must be name=value pairs with commas between them, percent-encoded',
    )
    .transform((list) => list.filter((header) => header !== null))
    .describe('Headers for the collector, as `name=value,name=value`, percent-encoded.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe(
      'The lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. The server logs JSON lines to stderr.',
    ),
})

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false
  return url.pathname === '/' && url.search === '' && url.hash === ''
}

/** Parses an S3 URL, which contains the key, secret, host, path and region; returns null for any other text. */
function parseS3Url(text: string, pathname: RegExp): S3Config | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || !pathname.test(url.pathname) || url.hash !== '') return null
  const { region = 'us-east-1', ...others } = Object.fromEntries(url.searchParams)
  if (!/^[a-z0-9-]{1,40}$/.test(region) || Object.keys(others).length > 0) return null
  try {
    const [accessKey, secretKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    if (accessKey === '' || secretKey === '') return null
    return Object.freeze({ endpoint: url.origin, bucket: url.pathname.slice(1), accessKey, secretKey, region })
  } catch {
    return null
  }
}

/** Returns whether a text is the base URL of an OTLP collector. The URL may have a path, but no credentials. */
function isCollector(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false
  return url.search === '' && url.hash === ''
}

/** Parses one `name=value` of OTEL_EXPORTER_OTLP_HEADERS; returns null for any other text. */
function parseHeader(text: string): readonly [name: string, value: string] | null {
  const [, name = '', encoded = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(text) ?? []
  try {
    const value = decodeURIComponent(encoded)
    return name === '' || !/^[\x20-\x7e]*$/.test(value) ? null : [name, value]
  } catch {
    return null
  }
}

/** Returns whether a text is a host name or IP address as in the Host header, with or without a port. */
function isHost(text: string): boolean {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null
  // Also compare the text with port 80 added, because the URL parser drops port 80.
  return url !== null && !text.includes('*') && (url.host === text || `${url.host}:80` === text)
}

function toContactUrl(contact: string | undefined): string | null {
  if (contact === undefined) return null
  return contact.startsWith('https://') ? contact : `mailto:${contact}`
}

/** Returns whether a text is 32 bytes in canonical base64. */
function isSecretsKey(text: string): boolean {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && key.toString('base64') === text
}

/**
 * Returns whether the server has a demo world. By default, only servers with an embedded database that are reachable
 * only from this machine have a demo world.
 */
function hasDemoWorld({ DEMO, HOST, PUBLIC_URL, TRUST_PROXY, DATABASE_URL }: z.output<typeof settings>): boolean {
  if (DEMO !== undefined) return DEMO === 'on'
  const isOwn = isLoopback(HOST) && PUBLIC_URL === undefined && TRUST_PROXY.length === 0
  return isOwn && DATABASE_URL === undefined
}

function isMailServer(text: string): boolean {
  return /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== ''
}

/** Returns whether a text is an IP address, a network such as 10.0.0.0/8, or a named range of @fastify/proxy-addr. */
function isNetwork(text: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Location and credentials of an S3 bucket. */
export type S3Config = Readonly<{
  endpoint: string
  bucket: string
  accessKey: string
  secretKey: string
  region: string
}>

/**
 * The settings, which are parsed once at the start and frozen; `settings` describes each. Null for each setting that is
 * not set.
 */
export type Config = ReturnType<typeof toConfig>

/** Names of all environment variables that the server reads. */
export const settingNames = Object.keys(settings.shape)

const SHOWN_IN_PUBLIC = {
  name: 'SHOW_RESET_CODES',
  message: 'must be off beside PUBLIC_URL: any visitor could take over any account',
}

/** A problem with a setting. `message` completes a sentence that begins with the setting's name. */
interface SettingIssue {
  readonly name: string
  readonly message: string
}

/** The error for invalid settings. The message names every invalid variable. */
export class ConfigError extends Error {
  readonly issues: readonly SettingIssue[]

  constructor(issues: readonly SettingIssue[]) {
    const lines = issues.map(({ name, message }) => `  ${name} ${message}`)
    super(`These settings cannot be used:\n${lines.join('\n')}`)
    this.issues = issues
  }
}

/** Parses environment variables. An empty variable counts as not set. Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = settings.safeParse(given, { error: describeIssue })
  const isShown = parsed.data?.SHOW_RESET_CODES && parsed.data.PUBLIC_URL !== undefined
  if (!parsed.success || isShown) {
    const issues = (parsed.error?.issues ?? []).map(({ path, message }) => ({ name: path.join('.'), message }))
    throw new ConfigError([...issues, ...(isShown ? [SHOWN_IN_PUBLIC] : [])])
  }
  return toConfig(parsed.data, given)
}

type Given = Readonly<Record<string, string | undefined>>

function toConfig(it: z.output<typeof settings>, given: Given) {
  return Object.freeze({
    port: it.PORT,
    host: it.HOST,
    dataDir: it.DATA_DIR,
    databaseUrl: it.DATABASE_URL ?? null,
    redisUrl: it.REDIS_URL ?? null,
    s3: it.S3_URL ?? null,
    /** Settings that the operator set, although they no longer have an effect. */
    unusedSettings: UNUSED_SETTINGS.filter((name) => given[name] !== undefined),
    smtpUrl: it.SMTP_URL ?? null,
    mailFrom: it.MAIL_FROM ?? `Papermoon <no-reply@${new URL(it.PUBLIC_URL ?? 'http://localhost').hostname}>`,
    resetCodesShown: it.SHOW_RESET_CODES && it.SMTP_URL === undefined,
    /** The public URL without a trailing slash. Null means that players use the URL on which the server listens. */
    publicUrl: it.PUBLIC_URL ?? null,
    /** Proxies whose X-Forwarded-* headers the server trusts. */
    trustProxy: it.TRUST_PROXY,
    allowedHosts: it.ALLOWED_HOSTS,
    demo: hasDemoWorld(it),
    fairs: it.FAIRS === undefined ? hasDemoWorld(it) : it.FAIRS === 'on',
    communityUrl: it.COMMUNITY_URL,
    securityContact: toContactUrl(it.SECURITY_CONTACT),
    /** Keys of `SecretBox`: the first one encrypts, all of them decrypt. Without keys, one in the database is used. */
    secretsKeys: it.SECRETS_KEY,
    push: it.PUSH,
    webhooks: it.WEBHOOKS,
    webhookNetworks: it.WEBHOOK_NETWORKS,
    drainSeconds: it.DRAIN_SECONDS,
    rateLimit: it.RATE_LIMIT,
    auditEveryHours: it.AUDIT_EVERY_HOURS,
    backup: toBackupConfig(it),
    /** Token that allows reading `/metrics`; null if everyone may read it. */
    metricsToken: it.METRICS_TOKEN ?? null,
    tracing: toTracing(it),
    logLevel: it.LOG_LEVEL,
  })
}

function toTracing(it: z.output<typeof settings>) {
  if (it.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null
  return Object.freeze({
    endpoint: it.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: Object.fromEntries<string>(it.OTEL_EXPORTER_OTLP_HEADERS),
  })
}

function toBackupConfig(it: z.output<typeof settings>) {
  return Object.freeze({
    to: it.BACKUP_TO ?? null,
    everyHours: it.BACKUP_EVERY_HOURS,
    keep: it.BACKUP_KEEP,
    keys: it.BACKUP_KEY,
    s3: it.BACKUP_S3_URL ?? it.S3_URL ?? null,
  })
}

/** Lists each setting with its default (null if there is none) and its description. */
export function describeSettings(): { name: string; fallback: string | null; meaning: string }[] {
  const defaults = new Map(showSettings({}).map(({ name, value }) => [name, value]))
  return Object.entries(settings.shape).map(([name, { description = '' }]) => ({
    name,
    fallback: defaults.get(name) ?? null,
    meaning: description,
  }))
}

/** A setting, formatted for the operator. */
export interface ShownSetting {
  readonly name: string
  /** The setting's value; null if it is not set and has no default. */
  readonly value: string | null
  readonly from: 'environment' | 'default'
  readonly issue: string | null
}

/** Lists all settings, with secrets hidden. */
export function showSettings(env: Readonly<Record<string, string | undefined>> = process.env): ShownSetting[] {
  const issues = new Map(findIssues(env).map(({ name, message }) => [name, message]))
  const { properties = {} } = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' })
  return settingNames.map((name) => {
    const given = env[name] || null
    const value = given === null ? findDefault(properties[name]) : hideSecrets(name, given)
    return { name, value, from: given === null ? 'default' : 'environment', issue: issues.get(name) ?? null }
  })
}

function findIssues(env: Readonly<Record<string, string | undefined>>): readonly SettingIssue[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.issues
    throw error
  }
}

function findDefault(schema: unknown): string | null {
  return (schema as { readonly default?: string }).default || null
}

/**
 * Hides keys and tokens completely, and the password in a URL. Hides invalid values too, because they may contain a
 * password.
 */
function hideSecrets(name: string, value: string): string {
  if (/KEY|TOKEN|HEADERS/.test(name)) return HIDDEN
  const address = value.replace(/(:\/\/[^:@/]*):.*@/, `$1:${HIDDEN}@`)
  return address.replace(/([?&][^=&]*pass[^=&]*=)[^&]*/gi, `$1${HIDDEN}`)
}

const HIDDEN = '(hidden)'

/** Loads the settings of this process. Only this function reads the environment. Throws `ConfigError`. */
export function loadConfig(): Config {
  return readConfig(process.env)
}

/** Settings of earlier versions that no longer have an effect. The server warns at its start if one of them is set. */
export const UNUSED_SETTINGS = [
  'S3_PUBLIC_ENDPOINT',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'S3_REGION',
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_ACCESS_KEY',
  'BACKUP_S3_SECRET_KEY',
  'BACKUP_S3_REGION',
  'METRICS',
  'PROCESSES',
  'ROLE',
  'ENGINE_LISTEN',
  'ENGINE_ADDRESS',
  'READ_DATABASE_URL',
  'READ_MAX_LAG_SECONDS',
  'UPLOADS_MAX_MB',
  'TRACES_PER_SECOND',
]
