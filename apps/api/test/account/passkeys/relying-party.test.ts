import { describe, expect, it } from 'vitest'
import { toRelyingParty } from '../../../src/http/calls/call-context.ts'

describe('toRelyingParty', () => {
  it.each([
    ['https://papermoon.example', 'papermoon.example', 'https://papermoon.example'],
    ['https://papermoon.example:8443', 'papermoon.example', 'https://papermoon.example:8443'],
    ['https://moon.papermoon.example:443', 'moon.papermoon.example', 'https://moon.papermoon.example'],
    ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
    ['http://localhost:80', 'localhost', 'http://localhost'],
    ['http://moon.localhost:3000', 'moon.localhost', 'http://moon.localhost:3000'],
  ])('of %s is %s at %s', (address, id, origin) => {
    expect(toRelyingParty(address)).toEqual({ id, origin })
  })

  it.each([
    'http://papermoon.example',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://192.168.1.2',
    'https://[2001:db8::1]',
    'http://localhost.evil.example',
  ])('is none at %s, where browsers know no passkeys', (address) => {
    expect(toRelyingParty(address)).toBeNull()
  })
})
