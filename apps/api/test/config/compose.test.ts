import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needs } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { settingNames } from '../../src/config.ts'
import { restRoutes } from '../../src/http/rest/routes.ts'
import { hasProxy } from '../chaos/support/has-proxy.ts'

const FOLDER = join(import.meta.dirname, '../../../../deploy')
const PROFILES = ['single', 'scale', 'ha']
const PROXIES = ['haproxy-nodes.cfg', 'nginx.conf']
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8')

const service = z.object({
  build: z.string().optional(),
  image: z.string().optional(),
  profiles: z.array(z.enum(PROFILES)).min(1),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.object({ default: z.object({ aliases: z.array(z.string()) }) }).optional(),
  restart: z.enum(['unless-stopped', 'no']),
  stop_grace_period: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
})
const raw = parse(read('compose.yml'), { merge: true, strict: true, uniqueKeys: true })
const services = z.record(z.string(), service).parse(raw.services)
const all = Object.values(services)

describe('deploy/compose.yml', () => {
  it.each(PROFILES)('has in %s all that each service needs, and one that is the database', (profile) => {
    const there = Object.entries(services).filter(([, { profiles }]) => profiles.includes(profile))
    const needed = there.flatMap(([, { depends_on }]) => Object.keys(depends_on))
    expect(there.map(([name]) => name)).toEqual(expect.arrayContaining(needed))
    expect(there.filter(([, it]) => it.networks?.default.aliases.includes('database'))).toHaveLength(1)
  })

  it('mounts and builds only what exists, and names every volume', () => {
    const sources = all.flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
    const files = sources.filter((source) => source.startsWith('.'))
    const builds = all.flatMap(({ build }) => (build === undefined ? [] : [`${build}/Dockerfile`]))
    expect([...files, ...builds].filter((path) => !existsSync(join(FOLDER, path)))).toEqual([])
    expect(new Set(sources.filter((source) => !files.includes(source)))).toEqual(new Set(Object.keys(raw.volumes)))
  })

  it('pins images, checks what stays, opens one port on this machine, and has no secret of its own', () => {
    for (const { build, image, healthcheck, restart } of all) {
      expect(build ?? image).toMatch(/^(\.[./\w-]*|[\w./-]+:[\w.-]*\d[\w.-]*)$/)
      if (restart !== 'no') expect(healthcheck?.test[0]).toMatch(/^CMD/)
    }
    expect(new Set(all.flatMap(({ ports }) => ports))).toEqual(new Set([`127.0.0.1:${'$'}{PORT:-3000}:3000`]))
    const secrets = all.flatMap((it) =>
      Object.entries(it.environment).filter(([key]) => /PASSWORD|DATABASE_URL/.test(key)),
    )
    expect(secrets.length).toBeGreaterThan(8)
    for (const [, value] of secrets) expect(value).toMatch(/\$\{\w+_PASSWORD:\?set it in deploy\/\.env\}/)
  })

  it('hands nodes every setting, and waits for their longest drain', () => {
    const nodes = Object.entries(services).filter(([name]) => name.startsWith('node'))
    for (const [, { environment, stop_grace_period }] of nodes) {
      expect(Object.keys(environment).sort()).toEqual([...settingNames].sort())
      expect(stop_grace_period).toBe('6m')
    }
  })
})

describe.each(PROXIES)('%s', (file) => {
  const rule = new RegExp(/(\^\/\(api.*\))[\s"]/.exec(read(file))?.[1] ?? '(?!)')

  it('sends every way to place an order or to ask for one to one node, and nothing else', () => {
    const ORDERS = ['trading.buy', 'trading.sell', 'trading.rug', 'tokens.launch', 'orders.get']
    const sent = restRoutes.filter(({ path }) => rule.test(path.replaceAll(/\{\w+\}/g, '12'))).map((it) => it.procedure)
    // A read at the same path as a rug pull.
    expect(new Set(sent)).toEqual(new Set([...ORDERS, 'tokens.rugStory']))
    for (const name of ORDERS) expect(`/trpc/${name}?batch=1`).toMatch(rule)
    for (const path of ['/trpc/trading.quote', '/trpc/tokens.list', '/api/orders', '/']) expect(path).not.toMatch(rule)
  })

  it('passes on no header of a caller that the server takes for its own', () => {
    for (const header of [
      /(del-header X-Forwarded-Host|proxy_set_header X-Forwarded-Host "");?$/m,
      /set[_-]header X-Forwarded-Proto (%\[ssl_fc|\$scheme)/,
      /(option forwardfor$|X-Forwarded-For \$proxy_add_x_forwarded_for;$)/m,
    ]) {
      expect(read(file)).toMatch(header)
    }
  })
})

describe('the files of HAProxy', needs('haproxy', hasProxy()), () => {
  it.each(['haproxy-nodes.cfg', 'haproxy-postgres.cfg'])('%s is taken', (file) => {
    const env = { PATH: `${process.env.PATH}:/usr/sbin`, PG_1: 'localhost:1', PG_2: 'localhost:2', PG_3: 'localhost:3' }
    execFileSync('haproxy', ['-c', '-q', '-f', join(FOLDER, file)], { env })
  })
})
