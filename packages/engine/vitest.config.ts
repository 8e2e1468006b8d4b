import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Without isolation, a worker loads the modules once for all its test files.
    isolate: false,
    globalSetup: '@papermoon/db/testing/global-setup',
    setupFiles: '../../scripts/lib/tests/property-seed.mjs',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // A loaded machine needs longer than the default of one second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
