import { defineConfig } from 'vitest/config'
import tags from '../../scripts/lib/tests/tags.json' with { type: 'json' }
import nodeFlags from './node-flags.json' with { type: 'json' }

export default defineConfig({
  test: {
    tags,
    globalSetup: '@papermoon/db/testing/global-setup',
    setupFiles: ['../../scripts/lib/tests/property-seed.mjs', './test/support/restore-mocks.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Run more workers than cores, because tests mostly wait for PostgreSQL, timers and servers.
    maxWorkers: 3,
    // A worker loads the server once for all its test files. Loading it for each file took a third of the suite's CPU
    // time.
    isolate: false,
    // Use the same flags as `npm start`. With them, Node collects garbage less often.
    execArgv: nodeFlags,
    // Allow more than the default of one second, because the machine may be busy.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
