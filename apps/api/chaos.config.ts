import { defineConfig } from 'vitest/config'

/** Faults and long runs that load the machine for many seconds, in little: `npm run chaos:short`, which CI runs. */
export default defineConfig({
  test: {
    include: ['test/**/*.chaos.ts', 'test/model/*.test.ts'],
    env: { MODEL_RUNS: process.env.MODEL_RUNS ?? '40' },
    globalSetup: '@papermoon/db/testing/global-setup',
    setupFiles: '../../scripts/lib/tests/property-seed.mjs',
    // Each fault is a load of its own.
    fileParallelism: false,
    // A loaded machine needs longer than the default second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
