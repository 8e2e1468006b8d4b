import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig, settingNames } from '../../src/config.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const PROFILES = ['single', 'scale', 'ha']

const service = z.object({
  build: z.string().optional(),
  image: z.string().optional(),
  profiles: z.array(z.enum(PROFILES)).default([]),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.object({ default: z.object({ aliases: z.array(z.string()) }) }).optional(),
  restart: z.enum(['unless-stopped', 'no']),
  stop_grace_period: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
})
const composition = z.object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })

function readComposition(file: string) {
  const raw = parse(read(file), { merge: true, strict: true, uniqueKeys: true })
  return composition.parse(raw)
}

const ours = readComposition('docker-compose.yml')
const large = readComposition('deploy/compose.yml')

// Each row: file, contents, its folder, the file with its passwords, and the services that run the server.
describe.each([
  ['docker-compose.yml', ours, '.', '.env', ['api']],
  ['deploy/compose.yml', large, 'deploy', 'deploy/.env', ['node']],
] as const)('%s', (_file, { services, volumes }, folder, env, servers) => {
  const all = Object.values(services)
  const nodes = Object.entries(services).filter(([name]) => servers.some((server) => name.startsWith(server)))

  it('mounts, builds and waits for only what exists, and names every volume', () => {
    expect(Object.keys(services)).toEqual(expect.arrayContaining(all.flatMap((it) => Object.keys(it.depends_on))))
    const sources = all.flatMap((it) => it.volumes.map((volume) => volume.split(':')[0] ?? ''))
    const files = sources.filter((source) => source.startsWith('.'))
    const builds = all.flatMap(({ build }) => (build === undefined ? [] : [`${build}/Dockerfile`]))
    expect([...files, ...builds].filter((path) => !existsSync(join(ROOT, folder, path)))).toEqual([])
    expect(new Set(sources.filter((source) => !files.includes(source)))).toEqual(new Set(Object.keys(volumes)))
  })

  it('builds or pins every image, and checks the health of every permanent service', () => {
    for (const { build, image, healthcheck, restart } of all) {
      expect(build ?? image).toMatch(/^(\.[./\w-]*|[\w./-]+:[\w.-]*\d[\w.-]*)$/)
      if (restart !== 'no') expect(healthcheck?.test[0]).toMatch(/^CMD(-SHELL)?$/)
    }
  })

  it('opens only the server’s port, and only on this machine', () => {
    expect(new Set(all.flatMap(({ ports }) => ports))).toEqual(new Set([`127.0.0.1:${'$'}{PORT:-3000}:3000`]))
  })

  it('contains no secret, and does not start without one', () => {
    const secrets = all.flatMap((it) =>
      Object.entries(it.environment).filter(([key]) => /PASSWORD|SECRET|DATABASE_URL/.test(key)),
    )
    expect(secrets.length).toBeGreaterThan(2)
    for (const [key, value] of secrets) {
      // SECRETS_KEY may be unset, unlike a password.
      if (key === 'SECRETS_KEY') expect(value).toBe(`\${${key}:-}`)
      else expect(value).toContain(`_PASSWORD:?set it in ${env}}`)
    }
  })

  it('passes every setting to the server, and waits for its longest drain', () => {
    expect(nodes.length).toBeGreaterThan(0)
    for (const [, { environment, stop_grace_period }] of nodes) {
      // METRICS will be removed in the next release.
      expect(
        Object.keys(environment)
          .filter((name) => name !== 'METRICS')
          .sort(),
      ).toEqual([...settingNames].sort())
      expect(stop_grace_period).toBe('6m')
    }
    expect(readConfig({ DRAIN_SECONDS: '300' }).drainSeconds).toBe(300)
  })
})

it.each(PROFILES)(
  'deploy/compose.yml contains in %s everything that each service needs, and one service is the database',
  (profile) => {
    const there = Object.entries(large.services).filter(([, { profiles }]) => profiles.includes(profile))
    const needed = there.flatMap(([, { depends_on }]) => Object.keys(depends_on))
    expect(there.map(([name]) => name)).toEqual(expect.arrayContaining(needed))
    expect(there.filter(([, it]) => it.networks?.default.aliases.includes('database'))).toHaveLength(1)
  },
)

function serviceNamed(name: string) {
  const found = ours.services[name]
  if (found === undefined) throw new Error(`docker-compose.yml has no ${name}`)
  return found
}

/** Fills in variables like Compose if nothing is set, and passwords with `given` or a default. */
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
  it('passes valid settings to the server, for the services beside it', () => {
    const config = readConfig(getEnvironment('api'))
    const used = [config.databaseUrl, config.redisUrl, config.s3?.endpoint].map((url) => new URL(url ?? '').hostname)
    expect([...used, 'minio-setup'].sort()).toEqual(Object.keys(serviceNamed('api').depends_on).sort())
    expect(config).toMatchObject({ host: '0.0.0.0', rateLimit: true, trustProxy: [], logLevel: 'info' })
  })

  it('gives the server its own database role and bucket user, with least rights, and the same secret at both ends', () => {
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

  it('has its passwords in a file that neither the repository nor the image contains', () => {
    expect(read('.gitignore')).toMatch(/^\.env$/m)
    expect(read('.dockerignore')).toMatch(/^\*\*\/\.env$/m)
  })

  it('waits for PostgreSQL, sets the bucket up once, and checks the server’s health', () => {
    const conditions = Object.values(ours.services).flatMap(({ depends_on }) => Object.values(depends_on))
    for (const { condition } of conditions)
      expect(['service_healthy', 'service_completed_successfully']).toContain(condition)
    expect(serviceNamed('postgres').stop_grace_period).toBe('60s')
    const once = Object.entries(ours.services).filter(([, { restart }]) => restart === 'no')
    expect(once.map(([name]) => name)).toEqual(['minio-setup'])
    expect(serviceNamed('api').healthcheck?.test.join(' ')).toContain('/healthz')
    expect(readConfig(getEnvironment('api')).port).toBe(3000)
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

  it('sets only variables that the server knows, and runs as an unprivileged user', () => {
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
