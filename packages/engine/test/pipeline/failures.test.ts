import { expect, it } from 'vitest'
import { CommitFailedError, connectionSurvives, remedyFor } from '../../src/pipeline/failures.ts'

/** Node's error for a socket whose peer is gone. */
const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32, syscall: 'write' })

it('treats a broken pipe as a lost connection, although its code looks like an SQLSTATE', () => {
  expect(remedyFor(brokenPipe)).toBe('busy')
  expect(remedyFor(new CommitFailedError(brokenPipe))).toBe('unknown')
  expect(connectionSurvives(brokenPipe)).toBe(false)
})
