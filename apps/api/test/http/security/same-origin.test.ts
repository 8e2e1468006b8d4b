import { describe, expect, it } from 'vitest'
import { CrossOriginError } from '../../../src/errors.ts'
import { sameOriginGuard } from '../../../src/http/security/security.ts'

interface Row {
  readonly publicUrl?: string
  readonly host: string
  readonly origin?: string
  /** The scheme that the browser used, if a proxy forwards it. */
  readonly forwarded?: string
  readonly isTrusted?: boolean
}

function isRefused({ publicUrl, host, origin, forwarded, isTrusted = false }: Row): boolean {
  const guard = sameOriginGuard({ publicUrl: publicUrl ?? null, trustProxy: isTrusted ? ['loopback'] : [] })
  const request = {
    headers: { origin, 'x-forwarded-proto': forwarded },
    host,
    socket: { remoteAddress: '127.0.0.1' },
    // Fastify does the same: the protocol is the forwarded one if the proxy is trusted.
    protocol: isTrusted ? (forwarded ?? 'http') : 'http',
  }
  try {
    guard(request as never)
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(CrossOriginError)
    return true
  }
}

const ours = { host: 'moon.example' }

describe('a page of the same site', () => {
  it.each<[string, Row]>([
    ['a program', ours],
    ['the same host', { ...ours, origin: 'http://moon.example' }],
    ['the same host behind a proxy that forwards no scheme', { ...ours, origin: 'https://moon.example' }],
    ['the host in capitals', { host: 'MOON.example', origin: 'http://moon.example' }],
    ['PUBLIC_URL', { ...ours, publicUrl: 'https://moon.example', origin: 'https://moon.example' }],
    [
      'PUBLIC_URL if the proxy changes the host',
      { host: '10.0.0.7', publicUrl: 'https://moon.example', origin: 'https://moon.example' },
    ],
    [
      'one of our hosts other than PUBLIC_URL',
      { host: '10.0.0.7:3000', publicUrl: 'https://moon.example', origin: 'http://10.0.0.7:3000' },
    ],
    [
      'the scheme that the proxy forwards',
      { ...ours, origin: 'https://moon.example', forwarded: 'https', isTrusted: true },
    ],
    ['the host, if the proxy is not trusted', { ...ours, origin: 'http://moon.example', forwarded: 'https' }],
  ])('is taken: %s', (_name, row) => {
    expect(isRefused(row)).toBe(false)
  })
})

describe('a page of another site', () => {
  it.each<[string, Row]>([
    ['another host', { ...ours, origin: 'http://evil.example' }],
    ['another port', { ...ours, origin: 'http://moon.example:8080' }],
    ['nobody', { ...ours, origin: 'null' }],
    ['a file', { ...ours, origin: 'file://' }],
    ['another scheme than PUBLIC_URL’s', { ...ours, publicUrl: 'https://moon.example', origin: 'http://moon.example' }],
    [
      'another scheme than the forwarded one',
      { ...ours, origin: 'http://moon.example', forwarded: 'https', isTrusted: true },
    ],
    [
      'TLS if the proxy does not report it',
      { ...ours, origin: 'https://moon.example', forwarded: 'http', isTrusted: true },
    ],
  ])('is refused: %s', (_name, row) => {
    expect(isRefused(row)).toBe(true)
  })
})
