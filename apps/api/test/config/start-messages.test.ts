import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { describeStart, describeWrittenHistory, listWarnings } from '../../src/start-messages.ts'

const address = 'http://localhost:3000'
const hasBegun = false
const metricsAddress = null

describe('the output of the server once it listens', () => {
  it.each([
    ['http://localhost:3000', {}],
    ['https://moon.example', { PUBLIC_URL: 'https://moon.example' }],
  ])('is one line for programs, with the address that players see: %s', (seen, env) => {
    const config = readConfig(env)
    const text = describeStart({ address, config, hasBegun, metricsAddress, isTerminal: false })
    expect(text).toBe(`Papermoon is at ${seen}\n`)
  })

  it('says where the server and its data are, and what to do next', () => {
    const config = readConfig({ DATA_DIR: 'somewhere' })
    const text = describeStart({ address, config, hasBegun, metricsAddress, isTerminal: true })
    expect(text).toMatch(/^Papermoon is at http:\/\/localhost:3000\n/)
    expect(text).toContain(`Its data is in ${resolve('somewhere')}.`)
    expect(text).toContain('Open the address in a browser, register')
    expect(text).toContain('Ctrl-C')
  })

  it('says that a demo world is being written, and how to turn it off', () => {
    const config = readConfig({})
    const text = describeStart({ address, config, hasBegun: true, metricsAddress, isTerminal: true })
    expect(text).toContain('The server is creating a demo market')
    expect(text).toContain('DEMO=off DATA_DIR=.empty npm start')
    expect(describeStart({ address, config, hasBegun, metricsAddress, isTerminal: true })).not.toContain('DEMO')
    const figures = { tokens: 41, trades: 9_813, bots: 31, seconds: 3.14 }
    expect(describeWrittenHistory(figures)).toBe(
      'The demo market is ready: 41 tokens, 9,813 trades, 31 bots (3.1 s).\n',
    )
  })

  it('says where the metrics are if they have their own port', () => {
    const shown = { address, config: readConfig({}), hasBegun, metricsAddress: 'http://127.0.0.1:4000/metrics' }
    expect(describeStart({ ...shown, isTerminal: true })).toContain(
      'Its metrics are at http://127.0.0.1:4000/metrics, for this machine only.\n',
    )
    expect(describeStart({ ...shown, isTerminal: false })).toBe('Papermoon is at http://localhost:3000\n')
  })

  it('does not say that the data is in a folder if it is in a database elsewhere', () => {
    const config = readConfig({ DATABASE_URL: 'postgres://papermoon:hunter2@db.example/papermoon' })
    const text = describeStart({ address, config, hasBegun, metricsAddress, isTerminal: true })
    expect(text).toContain('It uses the database of DATABASE_URL; its files are in /')
    expect(text).not.toContain('hunter2')
  })
})

describe('warnings', () => {
  it('are whole sentences', () => {
    const all = [{ RATE_LIMIT: 'off', S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:9000', SHOW_RESET_CODES: 'on' }].flatMap(
      (env) => listWarnings(readConfig(env)),
    )
    expect(all).toHaveLength(3)
    for (const warning of all) expect(warning).toMatch(/^[A-Z].{20,}\.$/)
  })

  it('name settings that have no effect any more', () => {
    expect(listWarnings(readConfig({ ROLE: 'reads', ENGINE_LISTEN: 'auto' }))).toEqual([
      'These settings have no effect: ROLE, ENGINE_LISTEN. docs/operations/settings.md says which replace them.',
    ])
  })

  it('name the settings of servers that are called without TLS on other machines', () => {
    const listIn = (env: Record<string, string>) => listWarnings(readConfig(env)).join()
    const plain = {
      DATABASE_URL: 'postgres://a@db.example/a',
      REDIS_URL: 'redis://10.0.0.2',
      SMTP_URL: 'smtp://a.example',
    }
    const both = listIn({ ...plain, S3_URL: 'http://a:b@s3.example/moon', BACKUP_TO: 's3://a/b' })
    expect(both).toBe(
      'Others on the network can read the data sent to DATABASE_URL, REDIS_URL, S3_URL, BACKUP_S3_URL, because the URL does not use TLS.',
    )
    const encrypted = { DATABASE_URL: 'postgres://a@db.example/a?sslmode=verify-full', REDIS_URL: 'rediss://10.0.0.2' }
    expect(listIn({ ...encrypted, S3_URL: 'https://a:b@s3.example/moon' })).toBe('')
    const here = {
      DATABASE_URL: 'postgres://a@localhost/a',
      REDIS_URL: 'redis://[::1]',
      S3_URL: 'http://a:b@minio:9000/moon',
    }
    expect(listIn(here)).toBe('')
    expect(listIn({ SMTP_URL: 'smtp://a.example?requireTLS=false' })).toContain(' SMTP_URL,')
  })

  it('name default passwords on a public server', () => {
    const composed = { DATABASE_URL: 'postgres://papermoon:for-development-only@postgres/papermoon' }
    expect(listWarnings(readConfig({ ...composed, PUBLIC_URL: 'http://localhost:3000' }))).toEqual([])
    expect(listWarnings(readConfig({ ...composed, PUBLIC_URL: 'https://moon.example' }))).toEqual([
      'A password is the default for development. Set POSTGRES_PASSWORD, MINIO_PASSWORD and REDIS_PASSWORD together with PUBLIC_URL.',
    ])
  })

  it('are empty for safe settings', () => {
    expect(listWarnings(readConfig({}))).toEqual([])
  })
})
