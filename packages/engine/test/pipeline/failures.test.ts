import { expect, it } from 'vitest'
import { CommitFailedError, connectionSurvives, remedyFor } from '../../src/pipeline/failures.ts'

/** Node's error for a socket whose other end is closed. */
const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32, syscall: 'write' })

it('treats a broken pipe as a lost connection, although its code looks like an SQLSTATE', () => {
  expect(remedyFor(brokenPipe)).toBe('busy')
  expect(remedyFor(new CommitFailedError(brokenPipe))).toBe('unknown')
  expect(connectionSurvives(brokenPipe)).toBe(false)
})

it.each([
  ['57P01', 'unknown'],
  ['08006', 'unknown'],
  ['57014', 'busy'],
  ['PM001', 'retry'],
  ['23514', 'halve'],
])('takes a commit that PostgreSQL answered with %s for %s', (code, remedy) => {
  expect(remedyFor(new CommitFailedError(Object.assign(new Error('refused'), { code })))).toBe(remedy)
})
