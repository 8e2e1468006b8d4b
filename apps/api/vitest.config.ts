import { defineConfig } from 'vitest/config'
import nodeFlags from './node-flags.json' with { type: 'json' }

export default defineConfig({
  test: {
    globalSetup: '@papermoon/db/testing/global-setup',
    setupFiles: ['../../scripts/lib/tests/property-seed.mjs', './test/support/restore-mocks.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Much of the time is waiting for PostgreSQL, timers and servers that tests start.
    maxWorkers: 3,
    // A worker loads the server once for all its files: a third of the suite's CPU time was loading it for each.
    isolate: false,
    // As `npm start` gives the server: less is collected.
    execArgv: nodeFlags,
    // A loaded machine needs longer than the default second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
