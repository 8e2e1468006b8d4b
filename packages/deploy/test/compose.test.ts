import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { planContainers } from '../src/cluster/container-plan.ts'

const FILE = resolve(import.meta.dirname, '../../../deploy/compose.yml')
const ROOT_FILE = resolve(import.meta.dirname, '../../../docker-compose.yml')
const FOR_DEVELOPMENT = 'for-development-only'

/** The part of the Compose specification that the file uses: any other key is an error. */
const service = z.strictObject({
  build: z.string().optional(),
  image: z.string().optional(),
  profiles: z.array(z.enum(['single', 'scale', 'ha'])).min(1),
  init: z.boolean().optional(),
  user: z.string().optional(),
  hostname: z.string().optional(),
  restart: z.enum(['unless-stopped', 'no']),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({
        condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
      }),
    )
    .default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.strictObject({ default: z.strictObject({ aliases: z.array(z.string()) }) }).optional(),
  stop_grace_period: z.string().optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()).min(2),
      interval: z.string(),
      timeout: z.string(),
      retries: z.int(),
      start_period: z.string().optional(),
    })
    .optional(),
})
const composition = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  networks: z.strictObject({
    default: z.strictObject({ ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.string() })) }) }),
  }),
  volumes: z.record(z.string(), z.null()),
})

const raw = parse(readFileSync(FILE, 'utf8'), { merge: true, strict: true, uniqueKeys: true })
const extensions = Object.keys(raw).filter((key) => key.startsWith('x-'))
const { services, volumes, networks } = composition.parse(
  Object.fromEntries(Object.entries(raw).filter(([key]) => !extensions.includes(key))),
)
const names = Object.keys(services)
const inProfile = (profile: 'single' | 'scale' | 'ha') =>
  Object.entries(services).filter(([, { profiles }]) => profiles.includes(profile))

describe('deploy/compose.yml', () => {
  it('has the three sizes, and in each one service that is the database', () => {
    for (const profile of ['single', 'scale', 'ha'] as const) {
      const found = inProfile(profile).filter(([, it]) => it.networks?.default.aliases.includes('database'))
      expect(found.map(([name]) => name)).toEqual([profile === 'ha' ? 'haproxy' : 'postgres'])
    }
    expect(inProfile('single').map(([name]) => name)).toEqual(['node', 'postgres'])
  })

  it('starts with each service what it depends on, in every profile', () => {
    for (const profile of ['single', 'scale', 'ha'] as const) {
      const there = inProfile(profile).map(([name]) => name)
      const needed = inProfile(profile).flatMap(([, { depends_on }]) => Object.keys(depends_on))
      expect(there).toEqual(expect.arrayContaining(needed))
    }
  })

  it('mounts only what exists, and names every volume', () => {
    const sources = Object.values(services).flatMap((it) => it.volumes.map((volume) => volume.split(':')[0] ?? ''))
    const files = sources.filter((source) => source.startsWith('.'))
    expect(files.filter((path) => !existsSync(join(dirname(FILE), path)))).toEqual([])
    expect([...new Set(sources.filter((source) => !files.includes(source)))].sort()).toEqual(
      Object.keys(volumes).sort(),
    )
    const builds = Object.values(services).flatMap(({ build }) => build ?? [])
    for (const build of builds) expect(existsSync(join(dirname(FILE), build, 'Dockerfile')), build).toBe(true)
  })

  it('pins every image, checks every service that stays, and opens the players’ port alone, on this machine', () => {
    for (const [name, { build, image, healthcheck, restart }] of Object.entries(services)) {
      expect(build ?? image, name).toMatch(/^(\.[./\w-]*|[\w./-]+:[\w.-]*\d[\w.-]*)$/)
      if (restart !== 'no') expect(healthcheck?.test[0], name).toMatch(/^CMD/)
    }
    const ports = new Set(Object.values(services).flatMap((it) => it.ports))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in.
    expect([...ports]).toEqual(['127.0.0.1:${PORT:-3000}:3000'])
  })

  it('has no secret but those it calls for development only', () => {
    const secrets = Object.values(services).flatMap(({ environment }) =>
      Object.entries(environment).filter(([key]) => /PASSWORD|SECRET_KEY$/.test(key)),
    )
    expect(secrets.length).toBeGreaterThan(8)
    for (const [, value] of secrets) expect(value).toContain(`:-${FOR_DEVELOPMENT}}`)
  })

  it('uses the images of docker-compose.yml, and hands nodes only settings that its server gets', () => {
    const other = parse(readFileSync(ROOT_FILE, 'utf8')).services
    for (const name of ['postgres', 'redis', 'minio', 'minio-setup'])
      expect(services[name]?.image, name).toBe(other[name].image)
    for (const name of names.filter((it) => it.startsWith('node'))) {
      expect(Object.keys(other.api.environment)).toEqual(
        expect.arrayContaining(Object.keys(services[name]?.environment ?? {})),
      )
    }
  })

  it('has the machines, hosts and networks that its configuration names', () => {
    const [environment] = [services.configure?.environment ?? {}]
    const passwords = Object.fromEntries(Object.keys(environment).map((name) => [name, FOR_DEVELOPMENT]))
    const { machines } = planContainers(passwords)
    const hosts = Object.values(services).flatMap((it) => it.networks?.default.aliases ?? [])
    for (const { address, etcdAddress, name, folder, configFolder } of machines) {
      expect(hosts).toEqual(expect.arrayContaining([address, etcdAddress]))
      const users = Object.values(services).filter((it) => it.volumes.includes(`config-${name}:${configFolder}:ro`))
      expect(users).toHaveLength(2)
      for (const { volumes: mounts } of users) expect(mounts.some((it) => it.endsWith(`:${folder}`))).toBe(true)
      expect(services.configure?.volumes).toContain(`config-${name}:/config/${name}`)
    }
    const [{ subnet } = { subnet: '' }] = networks.default.ipam.config
    expect(services['node-1']?.environment.TRUST_PROXY).toBe(subnet)
  })
})
