type Env = Readonly<Record<string, string | undefined>>

/** Settings that no longer have an effect. The server names each at the start. */
export const UNUSED_SETTINGS = [
  'S3_PUBLIC_ENDPOINT',
  'PROCESSES',
  'ROLE',
  'ENGINE_LISTEN',
  'ENGINE_ADDRESS',
  'READ_DATABASE_URL',
  'READ_MAX_LAG_SECONDS',
  'UPLOADS_MAX_MB',
  'TRACES_PER_SECOND',
]

/** Earlier names of settings, which work until the next release. The server names each at the start. */
export const EARLIER_SETTINGS = [
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
]

/**
 * Builds `S3_URL` and `BACKUP_S3_URL` from the earlier settings for an S3's parts. Parts that are missing for backups
 * fall back to those for pictures.
 */
export function renameSettings(env: Env): Env {
  const pictures = readParts(env, '')
  const { endpoint, key, secret, region } = readParts(env, 'BACKUP_')
  const backups = {
    endpoint: endpoint ?? pictures.endpoint,
    key: key ?? pictures.key,
    secret: secret ?? pictures.secret,
    region: region ?? pictures.region,
  }
  const hasOwn = [endpoint, key, secret, region].some((part) => part !== undefined)
  return {
    ...env,
    S3_URL: env.S3_URL || toS3Url(pictures, env.S3_BUCKET || 'papermoon'),
    BACKUP_S3_URL: env.BACKUP_S3_URL || (hasOwn ? toS3Url(backups, '') : undefined),
  }
}

interface S3Parts {
  readonly endpoint: string | undefined
  readonly key: string | undefined
  readonly secret: string | undefined
  readonly region: string | undefined
}

function readParts(env: Env, prefix: '' | 'BACKUP_'): S3Parts {
  const read = (name: string) => env[`${prefix}${name}`] || undefined
  return {
    endpoint: read('S3_ENDPOINT'),
    key: read('S3_ACCESS_KEY'),
    secret: read('S3_SECRET_KEY'),
    region: read('S3_REGION'),
  }
}

function toS3Url({ endpoint, key = '', secret = '', region }: S3Parts, bucket: string): string | undefined {
  if (endpoint === undefined) return undefined
  const user = `${encodeURIComponent(key)}:${encodeURIComponent(secret)}@`
  const query = region === undefined ? '' : `?region=${encodeURIComponent(region)}`
  return `${endpoint.replace('://', `://${user}`).replace(/\/$/, '')}/${bucket}${query}`
}
