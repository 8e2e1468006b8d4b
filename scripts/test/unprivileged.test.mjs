import { afterEach, describe, expect, it, vi } from 'vitest'
import { sayNotRun } from '../lib/tests/unprivileged.mjs'

afterEach(() => vi.unstubAllEnvs())

describe('a run without privileges that this machine cannot make', () => {
  it('fails in CI, and is left out elsewhere', () => {
    vi.stubEnv('CI', 'true')
    expect(sayNotRun('there is no user')).toMatchObject({ failed: 1, failures: [expect.stringContaining('no user')] })
    vi.stubEnv('CI', '')
    expect(sayNotRun('there is no user')).toMatchObject({ passed: 0, failed: 0, failures: [] })
  })
})
