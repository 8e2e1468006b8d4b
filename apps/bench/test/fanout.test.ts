import { describe, expect, it } from 'vitest'
import { timeIn, timeSpan } from '../src/fanout/event-times.ts'
import { openFilesMax } from '../src/fanout/hold-sockets.ts'

describe('the time of an event', () => {
  const message = Buffer.from('{"type":"trade","trade":{"createdAt":"2026-01-08T00:00:01.500Z","id":1}}')

  it('is read from its message', () => {
    expect(timeIn(message)).toBe(Date.parse('2026-01-08T00:00:01.500Z'))
  })

  it('can be replaced within a message', () => {
    const { from, until } = timeSpan(message)
    expect(message.toString('utf8', from, until)).toBe('2026-01-08T00:00:01.500Z')
  })

  it('is an error if missing', () => {
    expect(() => timeIn(Buffer.from('{"type":"hello"}'))).toThrow('without a time')
  })
})

describe('the limit of sockets', () => {
  it('is the hard limit of open files', () => {
    const limits = [
      'Limit    Soft Limit  Hard Limit  Units',
      'Max open files            1024                 20000                files     ',
    ]
    expect(openFilesMax(limits.join('\n'))).toBe(20_000)
  })

  it('is infinite without a stated limit', () => {
    expect(openFilesMax('')).toBe(Number.POSITIVE_INFINITY)
    expect(openFilesMax('Max open files            unlimited            unlimited            files')).toBe(
      Number.POSITIVE_INFINITY,
    )
  })
})
