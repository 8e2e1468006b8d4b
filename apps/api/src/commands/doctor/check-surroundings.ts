import { mkdir, statfs } from 'node:fs/promises'
import type { UserId } from '@papermoon/engine'
import { pino } from 'pino'
import { type Config, isLoopback } from '../../config.ts'
import { reachMailServer } from '../../mailer.ts'
import { pingRedis } from '../../security/rate-limits.ts'
import { listWarnings } from '../../start-messages.ts'
import { createObjectStore } from '../../storage/create-object-store.ts'
import { createUploadKey, toUploadName } from '../../storage/object-names.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const GIGABYTE = 1e9
/** Backups stop at a quarter of it, and PostgreSQL ends when nothing is left. */
const ROOM_BYTES_MIN = GIGABYTE
/** An id that no player has. */
const NOBODY = 0 as UserId

/** Wrong settings end the examination before this. */
export function checkSettings(config: Config): Finding[] {
  const warnings = listWarnings(config).map((text) => note(text, 'settings.md'))
  return [ok('Every setting can be used; papermoon config shows them.'), ...warnings]
}

/** The server speaks no TLS itself, so something else does where players see https. What it sends, only requests show. */
export function checkProxy({ publicUrl, trustProxy, host }: Config): Finding[] {
  if (publicUrl === null || isLoopback(new URL(publicUrl).hostname)) return []
  if (trustProxy.length > 0) return [ok(`Addresses that ${trustProxy.join(', ')} forwards are believed.`)]
  if (!publicUrl.startsWith('https:') && !isLoopback(host)) return []
  const why = 'players come through a proxy, and TRUST_PROXY names none, so all of them count as one address.'
  return [wrong(`By PUBLIC_URL and HOST ${why}`, 'deploy.md#what-to-set-on-a-public-server')]
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

/** Stores an object and removes it. */
export async function checkStorage(config: Config): Promise<Finding[]> {
  const place = config.s3 === null ? `the folder ${config.dataDir}` : `the bucket ${config.s3.bucket} of S3_ENDPOINT`
  // The store tells its callers less than its log.
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
  if (smtpUrl === null) return [note('No mail is sent: SMTP_URL is not set.', 'deploy.md#mail')]
  const failure = await reachMailServer(smtpUrl)
  return [
    failure === null
      ? ok('The mail server answers.')
      : wrong(`The mail server of SMTP_URL does not take mail: ${failure}.`, 'deploy.md#mail'),
  ]
}

export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return []
  const failure = await pingRedis(redisUrl)
  return [
    failure === null
      ? ok('Redis answers.')
      : wrong(`The Redis of REDIS_URL does not answer: ${failure}.`, 'observe.md#incidents'),
  ]
}
