import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'

function getRefusal(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'accepted'
}

describe('readConfig', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      publicUrl: null,
      trustProxy: [],
      rateLimit: true,
      logLevel: 'info',
    })
  })

  it('treats an empty variable as an absent one', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}))
  })

  it('returns a frozen object', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })

  it('names every wrong variable at once', () => {
    const refusal = getRefusal({ PORT: 'x', DATABASE_URL: 'mysql://x', RATE_LIMIT: 'no', TRUST_PROXY: 'everybody' })
    for (const name of ['PORT', 'DATABASE_URL', 'RATE_LIMIT', 'TRUST_PROXY']) expect(refusal).toContain(name)
  })

  it.each([
    [{}, true],
    [{ HOST: 'localhost', PORT: '4000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '192.168.1.5' }, false],
    [{ PUBLIC_URL: 'http://localhost:3000' }, false],
    [{ PUBLIC_URL: 'https://papermoon.example' }, false],
    [{ TRUST_PROXY: '127.0.0.1' }, false],
    [{ DATABASE_URL: 'postgres://127.0.0.1/papermoon' }, false],
    [{ HOST: '0.0.0.0', DEMO: 'on' }, true],
    [{ DATABASE_URL: 'postgres://127.0.0.1/papermoon', DEMO: 'on' }, true],
    [{ PUBLIC_URL: 'https://papermoon.example', DEMO: 'on' }, true],
    [{ DEMO: 'off' }, false],
  ])('has a demo world with %j: %s', (env, demo) => {
    expect(readConfig(env).demo).toBe(demo)
  })

  // A token of METRICS_TOKEN must be hard to guess, and a contact must not add a line to security.txt.
  it.each(
    Object.entries({
      DEMO: ['yes'],
      METRICS_TOKEN: ['short'],
      PORT: ['-1', '65536', '1e3', '0x50', '80.5', 'http'],
      ALLOWED_HOSTS: ['https://a.example', 'a.example/x', '*', 'a b', 'a.example,,', 'u@a.example', '::1'],
      SECURITY_CONTACT: ['http://b.example', 'nobody', 'a@b.example\nContact: c@d.example', 'a b@c.example'],
      SMTP_URL: ['mail.example', 'http://mail.example', 'smtp://'],
      MAIL_FROM: ['nobody', 'a b', 'x@y\nBcc: z@x.org'],
      TRUST_PROXY: ['10.0.0.0/33', 'true', '1', '10.0.0.1,,', 'a.example'],
      S3_URL: [
        ...['minio:9000/moon', 'ftp://a:b@minio/moon', 'http://minio/moon', 'http://a@minio/moon'],
        ...['http://a:b%zz@minio/moon', 'http://a:b@minio', 'http://a:b@minio/moon/down', 'http://a:b@minio/..%2Fx'],
        ...['http://a:b@minio/moon?region=a%20b', 'http://a:b@minio/moon?bucket=x', 'http://a:b@minio/moon#x'],
      ],
      PUBLIC_URL: ['moon.example', 'ftp://moon.example', 'https://moon.example/app', 'https://a:b@moon.example'],
      BACKUP_S3_URL: ['https://a:b@s3.example.org/moon'],
    }),
  )('rejects %s with an invalid value', (name, values) => {
    for (const value of values)
      expect([value, getRefusal({ [name]: value })]).toEqual([value, expect.stringContaining(`${name} must be`)])
  })

  it.each([
    ['10.0.0.1, 172.16.0.0/12', ['10.0.0.1', '172.16.0.0/12']],
    ['::1', ['::1']],
    ['loopback', ['loopback']],
    ['off', []],
  ])('reads the proxies %s', (list, proxies) => {
    expect(readConfig({ TRUST_PROXY: list }).trustProxy).toEqual(proxies)
  })

  it.each([
    ['Papermoon.example, localhost:3000', ['papermoon.example', 'localhost:3000']],
    ['[::1],127.0.0.1:80', ['[::1]', '127.0.0.1:80']],
    ['', []],
  ])('reads the allowed hosts %s', (list, hosts) => {
    expect(readConfig({ ALLOWED_HOSTS: list }).allowedHosts).toEqual(hosts)
  })

  it('accepts an email address or a URL as the contact for security reports', () => {
    expect(readConfig({}).securityContact).toBeNull()
    expect(readConfig({ SECURITY_CONTACT: 'a@b.example' }).securityContact).toBe('mailto:a@b.example')
    expect(readConfig({ SECURITY_CONTACT: 'https://b.example/x' }).securityContact).toBe('https://b.example/x')
  })

  it('does not use S3 unless it is configured', () => {
    expect(readConfig({}).s3).toBeNull()
    expect(readConfig({ S3_BUCKET: 'moon', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' }).s3).toBeNull()
  })

  it('accepts one URL for S3, which can name the region', () => {
    expect(readConfig({ S3_URL: 'http://key:s%2Fe%2B@minio:9000/moon' }).s3).toEqual({
      endpoint: 'http://minio:9000',
      bucket: 'moon',
      accessKey: 'key',
      secretKey: 's/e+',
      region: 'us-east-1',
    })
    expect(readConfig({ S3_URL: 'https://a:b@s3.example/moon?region=eu-1' }).s3?.region).toBe('eu-1')
  })

  it('accepts settings of earlier versions with any value, and names them', () => {
    const before = { S3_BUCKET: 'moon', METRICS: 'open', PROCESSES: 'many', ROLE: 'reads', ENGINE_LISTEN: 'auto' }
    expect(readConfig(before).unusedSettings).toEqual(Object.keys(before))
  })

  it('keeps only the origin of the public address', () => {
    expect(readConfig({ PUBLIC_URL: 'https://Moon.example:443/' }).publicUrl).toBe('https://moon.example')
  })

  it('backs up to its own S3 or that of pictures, and reports errors in the settings of backups', () => {
    expect(readConfig({}).backup).toEqual({ to: null, everyHours: 24, keep: 7, keys: [], s3: null })
    const pictures = { S3_URL: 'http://key:secret@minio:9000/moon' }
    expect(readConfig(pictures).backup.s3).toEqual(readConfig(pictures).s3)
    expect(readConfig({ ...pictures, BACKUP_S3_URL: 'https://a:b@s3.example.org?region=eu-1' }).backup.s3).toEqual({
      endpoint: 'https://s3.example.org',
      bucket: '',
      accessKey: 'a',
      secretKey: 'b',
      region: 'eu-1',
    })
    const refusal = getRefusal({ BACKUP_EVERY_HOURS: '0', BACKUP_KEEP: '-1', BACKUP_KEY: 'short' })
    for (const name of ['BACKUP_EVERY_HOURS', 'BACKUP_KEEP', 'BACKUP_KEY']) expect(refusal).toContain(`${name} must be`)
  })
})
