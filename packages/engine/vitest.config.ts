import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // A worker loads the modules once for all its files.
    isolate: false,
    globalSetup: '@papermoon/db/testing/global-setup',
    setupFiles: '../../scripts/lib/tests/property-seed.mjs',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // A loaded machine needs longer than the default second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
