import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { foldOutages } from '../../src/log.ts'

afterEach(() => void vi.useRealTimers())

it('logs the first failure of an outage, then a count each minute, then its end', () => {
  vi.useFakeTimers()
  const lines: Record<string, unknown>[] = []
  const out = new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(String(line)))) })
  const log = pino({ hooks: { logMethod: foldOutages() } }, out)
  const fail = (what: string) => log.warn({ err: new Error('Connection terminated unexpectedly') }, what)
  const other = () =>
    log.warn({ err: Object.assign(new Error('connect'), { code: 'ECONNREFUSED', errno: -1 }) }, 'mail')
  for (let turn = 0; turn < 5; turn++) fail('poll')
  for (let turn = 0; turn < 3; turn++) fail('notices')
  other()
  expect(lines.map(({ msg }) => msg)).toEqual(['poll', 'mail'])
  vi.advanceTimersByTime(60_000)
  expect(lines.at(-1)).toMatchObject({ level: 40, failures: 7, of: { poll: 4, notices: 3 } })
  fail('poll')
  vi.advanceTimersByTime(60_000)
  expect(lines.at(-1)).toMatchObject({ failures: 1, of: { poll: 1 } })
  vi.advanceTimersByTime(60_000)
  expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'no database call has failed for a minute' })
  fail('poll')
  expect(lines.at(-1)).toMatchObject({ msg: 'poll', level: 40 })
})
