import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'

function refusalOf(env: Record<string, string>): string {
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

  it('takes an empty variable for an absent one', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}))
  })

  it('freezes what it read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })

  it('names every wrong variable at once', () => {
    const refusal = refusalOf({ PORT: 'x', DATABASE_URL: 'mysql://x', RATE_LIMIT: 'no', TRUST_PROXY: 'everybody' })
    for (const name of ['PORT', 'DATABASE_URL', 'RATE_LIMIT', 'TRUST_PROXY']) expect(refusal).toContain(name)
  })

  it.each(['-1', '65536', '1e3', '0x50', '80.5', 'http'])('refuses %s as a port', (port) => {
    expect(refusalOf({ PORT: port })).toContain('PORT must be')
  })

  it.each([
    ['10.0.0.1, 172.16.0.0/12', ['10.0.0.1', '172.16.0.0/12']],
    ['::1', ['::1']],
    ['loopback', ['loopback']],
    ['off', []],
  ])('reads the proxies %s', (list, proxies) => {
    expect(readConfig({ TRUST_PROXY: list }).trustProxy).toEqual(proxies)
  })

  it.each(['10.0.0.0/33', 'true', '1', '10.0.0.1,,', 'a.example'])('refuses %s as a list of proxies', (list) => {
    expect(refusalOf({ TRUST_PROXY: list })).toContain('TRUST_PROXY must be')
  })

  it('keeps only the origin of the public address', () => {
    expect(readConfig({ PUBLIC_URL: 'https://Moon.example:443/' }).publicUrl).toBe('https://moon.example')
  })

  it.each(['moon.example', 'ftp://moon.example', 'https://moon.example/app', 'https://a:b@moon.example'])(
    'refuses %s as the public address',
    (url) => {
      expect(refusalOf({ PUBLIC_URL: url })).toContain('PUBLIC_URL must be')
    },
  )
})
