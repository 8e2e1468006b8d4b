import { expect, it } from 'vitest'
import { CommitUnansweredError, connectionSurvives, remedyFor } from '../src/pipeline/failures.ts'

/** What node reports of a socket whose other end is gone. */
const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32, syscall: 'write' })

it('takes a broken pipe for a lost connection, though its code has five letters as those of PostgreSQL have', () => {
  expect(remedyFor(brokenPipe)).toBe('busy')
  expect(remedyFor(new CommitUnansweredError(brokenPipe))).toBe('unknown')
  expect(connectionSurvives(brokenPipe)).toBe(false)
})
