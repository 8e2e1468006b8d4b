import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig, settingNames } from '../../src/config.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const service = z.object({
  build: z.string().optional(),
  image: z.string().optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z
    .record(z.string(), z.object({ condition: z.enum(['service_healthy', 'service_completed_successfully']) }))
    .default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  restart: z.enum(['unless-stopped', 'no']),
  stop_grace_period: z.string().optional(),
  healthcheck: z
    .object({ test: z.array(z.string()).min(2), interval: z.string(), timeout: z.string(), retries: z.int() })
    .optional(),
})
const composition = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
})

const { services, volumes } = composition.parse(parse(read('docker-compose.yml')))
const names = Object.keys(services)

function serviceNamed(name: string) {
  const found = services[name]
  if (found === undefined) throw new Error(`docker-compose.yml has no ${name}`)
  return found
}

/** What Compose makes of `${NAME:-default}` where nothing is set, and of the passwords that it asks for. */
function filledIn(text: string, given: Record<string, string> = {}): string {
  return text.replaceAll(
    /\$\{(\w+):(?:-([^}]*)|\?[^}]+)\}/g,
    (_whole, name: string, fallback?: string) => given[name] ?? fallback ?? 'secret',
  )
}

function getEnvironment(name: string, given: Record<string, string> = {}): Record<string, string> {
  const { environment } = serviceNamed(name)
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(value, given)]))
}

describe('docker-compose.yml', () => {
  it('hands the server every setting there is, and METRICS until the next release', () => {
    expect(Object.keys(serviceNamed('api').environment).sort()).toEqual([...settingNames, 'METRICS'].sort())
  })

  it('hands it settings that it takes, for the services beside it', () => {
    const config = readConfig(getEnvironment('api'))
    const used = [config.databaseUrl, config.redisUrl, config.s3?.endpoint].map((url) => new URL(url ?? '').hostname)
    expect([...used, 'minio-setup'].sort()).toEqual(Object.keys(serviceNamed('api').depends_on).sort())
    expect(config).toMatchObject({ host: '0.0.0.0', rateLimit: true, trustProxy: [], logLevel: 'info' })
  })

  it('gives the server a role and a user of its own, with least rights, and one secret at both ends', () => {
    const given = { POSTGRES_PASSWORD: 'one', POSTGRES_ADMIN_PASSWORD: 'two', MINIO_PASSWORD: 'three' }
    const all = { ...given, MINIO_ROOT_PASSWORD: 'four' }
    const { databaseUrl, s3 } = readConfig(getEnvironment('api', all))
    const { username, password, pathname } = new URL(databaseUrl ?? '')
    expect([username, password, pathname]).toEqual(['papermoon', 'one', '/papermoon'])
    expect(getEnvironment('postgres', all)).toEqual({
      POSTGRES_USER: 'postgres',
      POSTGRES_PASSWORD: 'two',
      PAPERMOON_PASSWORD: 'one',
    })
    const setup = getEnvironment('minio-setup', all)
    const { MINIO_ROOT_USER, MINIO_ROOT_PASSWORD, ...own } = setup
    expect({ MINIO_ROOT_USER, MINIO_ROOT_PASSWORD }).toEqual(getEnvironment('minio', all))
    expect(own).toEqual({ S3_BUCKET: s3?.bucket, S3_ACCESS_KEY: s3?.accessKey, S3_SECRET_KEY: s3?.secretKey })
    expect([s3?.accessKey, s3?.secretKey, MINIO_ROOT_PASSWORD]).toEqual(['papermoon', 'three', 'four'])
    expect(MINIO_ROOT_USER).not.toBe(s3?.accessKey)
    expect(Object.values(getEnvironment('api', all)).join(' ')).not.toMatch(/\b(two|four)\b/)
    const { REDISCLI_AUTH } = getEnvironment('redis', { REDIS_PASSWORD: 'five' })
    const { redisUrl } = readConfig(getEnvironment('api', { ...all, REDIS_PASSWORD: 'five' }))
    expect([new URL(redisUrl ?? '').password, REDISCLI_AUTH]).toEqual(['five', 'five'])
    expect(
      serviceNamed('redis')
        .command.map((word) => filledIn(word, { REDIS_PASSWORD: 'five' }))
        .slice(-2),
    ).toEqual(['--requirepass', 'five'])
    for (const script of ['scripts/compose/postgres.sh', 'deploy/patroni/create-database.sh']) {
      const role = /create role papermoon [^;]*/.exec(read(script))?.[0]
      for (const right of ['superuser', 'createdb', 'createrole', 'replication']) expect(role).toContain(`no${right}`)
      for (const setting of ['log_error_verbosity = terse', 'log_min_error_statement = panic'])
        expect(read(script)).toContain(`alter role papermoon set ${setting};\n`)
    }
    const actions = [...read('scripts/compose/minio.sh').matchAll(/"(\w+:[\w*]+)"/g)].map(([, action]) => action)
    expect(actions.sort()).toEqual([
      's3:DeleteObject',
      's3:GetBucketLocation',
      's3:GetObject',
      's3:ListBucket',
      's3:PutObject',
    ])
  })

  it('has no secret of its own, and does not start without one', () => {
    const secrets = names.flatMap((name) =>
      Object.entries(serviceNamed(name).environment).filter(([key]) => /PASSWORD|SECRET/.test(key)),
    )
    expect(secrets.length).toBeGreaterThan(2)
    for (const [key, value] of secrets) {
      // It may be unset, unlike a password.
      if (key === 'SECRETS_KEY') expect(value).toBe(`\${${key}:-}`)
      else expect(value).toMatch(/^\$\{\w+_PASSWORD:\?set it in \.env\}$/)
    }
  })

  it('has its passwords in a file that neither the repository nor the image gets', () => {
    expect(read('.gitignore')).toMatch(/^\.env$/m)
    expect(read('.dockerignore')).toMatch(/^\*\*\/\.env$/m)
  })

  it('waits for the longest drain of the server, and for PostgreSQL', () => {
    expect(serviceNamed('api').stop_grace_period).toBe('6m')
    expect(readConfig({ DRAIN_SECONDS: '300' }).drainSeconds).toBe(300)
    expect(serviceNamed('postgres').stop_grace_period).toBe('60s')
  })

  it('opens the server’s port alone, and on this machine alone', () => {
    const ports = names.flatMap((name) => serviceNamed(name).ports.map((port) => filledIn(port)))
    expect(ports).toEqual([`127.0.0.1:3000:${readConfig(getEnvironment('api')).port}`])
  })

  it('refers to nothing that it does not have', () => {
    const referred = names.flatMap((name) => Object.keys(serviceNamed(name).depends_on))
    expect(names).toEqual(expect.arrayContaining(referred))
    const mounted = names.flatMap((name) => serviceNamed(name).volumes.map((volume) => volume.split(':')[0] ?? ''))
    const files = mounted.filter((path) => path.startsWith('./'))
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(mounted.filter((path) => !files.includes(path)).sort()).toEqual(Object.keys(volumes).sort())
  })

  it('builds or pins every image, and checks the health of every service that stays', () => {
    for (const name of names) {
      const { build, image, healthcheck, restart } = serviceNamed(name)
      expect(build ?? image).toMatch(/^(\.|[\w/]+:[\w.-]*\d[\w.-]*)$/)
      if (restart === 'no') continue
      expect(['CMD', 'CMD-SHELL']).toContain(healthcheck?.test[0])
    }
    expect(names.filter((name) => serviceNamed(name).restart === 'no')).toEqual(['minio-setup'])
    expect(serviceNamed('api').healthcheck?.test.join(' ')).toContain('/healthz')
  })
})

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile')

  it('copies the manifest of every package before it installs', () => {
    const folders = ['packages', 'apps'].flatMap((group) =>
      readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
    )
    const packages = folders.filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
    expect(packages.length).toBeGreaterThan(4)
    for (const folder of packages) expect(dockerfile).toContain(`COPY ${folder}/package.json ${folder}/\n`)
  })

  it('sets only what the server knows, and runs as nobody in particular', () => {
    const [, line = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? []
    const set = line.split(' ').map((pair) => pair.split('=')[0] ?? '')
    expect(set.filter((name) => name !== 'NODE_ENV' && !settingNames.includes(name))).toEqual([])
    expect(dockerfile).toMatch(/^USER node\n(.*\n)*CMD \["node", /m)
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toContain('/healthz')
  })

  it('starts the server with the options of npm start', () => {
    const flags: readonly string[] = JSON.parse(read('apps/api/node-flags.json'))
    const [, command = '[]'] = /^CMD (.*)$/m.exec(dockerfile) ?? []
    expect(JSON.parse(command)).toEqual(['node', ...flags, 'apps/api/src/server.ts'])
    const unit = read('deploy/papermoon.service')
    expect(unit).toMatch(new RegExp(`^ExecStart=\\S+/node ${flags.join(' ')} apps/api/src/server.ts$`, 'm'))
    expect(read('scripts/papermoon.mjs')).toContain("readJson(join(root, 'apps', 'api', 'node-flags.json'))")
  })
})
