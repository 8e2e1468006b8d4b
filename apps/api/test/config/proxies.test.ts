import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needs } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../src/http/rest/routes.ts'
import { hasProxy } from '../chaos/support/has-proxy.ts'

const FOLDER = join(import.meta.dirname, '../../../../deploy')
const PROXIES = ['haproxy-nodes.cfg', 'nginx.conf']
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8')

describe.each(PROXIES)('%s', (file) => {
  const rule = new RegExp(/(\^\/\(api.*\))[\s"]/.exec(read(file))?.[1] ?? '(?!)')

  it('sends all orders and quotes of order nodes to one node, and nothing else', () => {
    const ORDERS = ['trading.buy', 'trading.sell', 'trading.rug', 'tokens.launch', 'orders.get']
    const sent = restRoutes.filter(({ path }) => rule.test(path.replaceAll(/\{\w+\}/g, '12'))).map((it) => it.procedure)
    // `tokens.rugStory` is a read, but has the same path as a rug pull.
    expect(new Set(sent)).toEqual(new Set([...ORDERS, 'tokens.rugStory']))
    for (const name of ORDERS) expect(`/trpc/${name}?batch=1`).toMatch(rule)
    for (const path of ['/trpc/trading.quote', '/trpc/tokens.list', '/api/orders', '/']) expect(path).not.toMatch(rule)
  })

  it('passes on no header of a caller that the server trusts', () => {
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
  it.each(['haproxy-nodes.cfg', 'haproxy-postgres.cfg'])('%s is a valid configuration', (file) => {
    const env = { PATH: `${process.env.PATH}:/usr/sbin`, PG_1: 'localhost:1', PG_2: 'localhost:2', PG_3: 'localhost:3' }
    execFileSync('haproxy', ['-c', '-q', '-f', join(FOLDER, file)], { env })
  })
})
