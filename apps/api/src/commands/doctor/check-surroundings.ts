import { mkdir, statfs } from 'node:fs/promises'
import proxyAddress from '@fastify/proxy-addr'
import type { UserId } from '@papermoon/engine'
import { pino } from 'pino'
import type { Config } from '../../config.ts'
import { reachMailServer } from '../../mailer.ts'
import { isLoopback, SEEN_AS_HEADER } from '../../security/client-address.ts'
import { pingRedis } from '../../security/rate-limits.ts'
import { listWarnings } from '../../start-messages.ts'
import { createObjectStore } from '../../storage/create-object-store.ts'
import { createUploadKey, toUploadName } from '../../storage/object-store.ts'
import { type Finding, note, ok, wrong } from './check-database.ts'

const GIGABYTE = 1e9
/** Min free disk space in bytes. Backups stop when less than a quarter of this space is free. */
const ROOM_BYTES_MIN = GIGABYTE
const PROXY_PAGE = 'deploy.md#what-to-set-on-a-public-server'
const PROXY_ANSWERS_WITHIN_MS = 5_000
/** An IP address and a host name that are reserved for documentation (RFC 5737 and 2606). */
const MADE_UP = { address: '192.0.2.1', host: 'doctor.invalid' }
/** An id that no player has. */
const NOBODY = 0 as UserId

/** Reports the warnings about the settings. With invalid settings, `doctor` ends before this check runs. */
export function checkSettings(config: Config): Finding[] {
  const warnings = listWarnings(config).map((text) => note(text, 'settings.md'))
  return [ok('All settings are valid. papermoon config shows them.'), ...warnings]
}

/** Checks the reverse proxy in front of the server. The server does not speak TLS, so an https URL needs a proxy. */
export async function checkProxy(config: Config): Promise<Finding[]> {
  const { publicUrl, trustProxy, host } = config
  if (publicUrl === null || isLoopback(new URL(publicUrl).hostname)) return []
  if (trustProxy.length > 0) return judgeForwarding(await askThroughProxy(publicUrl), config)
  if (!publicUrl.startsWith('https:') && !isLoopback(host)) return []
  const why = 'players come through a proxy, but TRUST_PROXY names none, so all players count as one IP address.'
  return [wrong(`By PUBLIC_URL and HOST ${why}`, PROXY_PAGE)]
}

/**
 * Sends a request with a made-up IP address and host through the proxy. Returns the IP address and host that the server
 * saw; null if the request did not reach the server.
 */
async function askThroughProxy(publicUrl: string): Promise<string | null> {
  const headers = { 'x-forwarded-for': MADE_UP.address, 'x-forwarded-host': MADE_UP.host }
  const request = { headers, signal: AbortSignal.timeout(PROXY_ANSWERS_WITHIN_MS) }
  const answer = await fetch(`${publicUrl}/healthz`, request).catch(() => null)
  return answer?.headers.get(SEEN_AS_HEADER) ?? null
}

export function judgeForwarding(seen: string | null, { trustProxy }: Pick<Config, 'trustProxy'>): Finding[] {
  if (seen === null)
    return [note('Could not reach PUBLIC_URL, so the headers that the proxy sends were not checked.', PROXY_PAGE)]
  const [address = '', host] = seen.split(' ')
  const findings: Finding[] = []
  if (host === MADE_UP.host) {
    const text =
      'The proxy passes on X-Forwarded-Host, so callers can bypass ALLOWED_HOSTS. It must set or delete this header.'
    findings.push(wrong(text, PROXY_PAGE))
  }
  if (proxyAddress.compile([...trustProxy])(address, 0)) {
    findings.push(wrong('The proxy sends no X-Forwarded-For, so all players count as one IP address.', PROXY_PAGE))
  }
  if (address === MADE_UP.address) {
    const text =
      'A made-up X-Forwarded-For was believed. Unless TRUST_PROXY has the address of this machine, the proxy must'
    findings.push(note(`${text} set it, or add to it.`, PROXY_PAGE))
  }
  return findings.length > 0 ? findings : [ok('The proxy forwards the IP addresses of callers.')]
}

export async function checkRoom({ dataDir }: Config): Promise<Finding[]> {
  await mkdir(dataDir, { recursive: true })
  const { bavail, bsize } = await statfs(dataDir)
  return [judgeRoom(dataDir, bavail * bsize)]
}

export function judgeRoom(folder: string, freeBytes: number): Finding {
  const text = `The disk of ${folder} has ${(freeBytes / GIGABYTE).toFixed(1)} GB left.`
  return freeBytes < ROOM_BYTES_MIN ? wrong(text, 'observe.md#incidents') : ok(text)
}

/** Writes an object to the store and removes it. */
export async function checkStorage(config: Config): Promise<Finding[]> {
  const place = config.s3 === null ? `the folder ${config.dataDir}` : `the bucket ${config.s3.bucket} of S3_URL`
  // Take the reason from the log, because the store's errors contain fewer details.
  let reason = ''
  const write = (line: string) => {
    reason = JSON.parse(line).err?.message ?? line
  }
  const log = pino({ level: 'warn' }, { write })
  const objects = await createObjectStore(config, log)
  const name = toUploadName(createUploadKey(NOBODY))
  try {
    await objects.prepare()
    await objects.write(name, Buffer.from('doctor'), 'text/plain')
    await objects.remove(name)
    return [ok(`Pictures can be stored in ${place}.`)]
  } catch {
    return [wrong(`Pictures cannot be stored in ${place}: ${reason}.`, 'settings.md')]
  }
}

export async function checkMail({ smtpUrl }: Config): Promise<Finding[]> {
  if (smtpUrl === null) return [note('The server sends no email, because SMTP_URL is not set.', 'deploy.md#mail')]
  const failure = await reachMailServer(smtpUrl)
  return [
    failure === null
      ? ok('The mail server responds.')
      : wrong(`The mail server of SMTP_URL does not accept email: ${failure}.`, 'deploy.md#mail'),
  ]
}

export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return []
  const failure = await pingRedis(redisUrl)
  return [
    failure === null
      ? ok('Redis responds.')
      : wrong(`The Redis of REDIS_URL does not respond: ${failure}.`, 'observe.md#incidents'),
  ]
}
