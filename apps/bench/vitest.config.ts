import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: '@papermoon/db/testing/global-setup',
    include: ['test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // A loaded machine needs longer than the default of one second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
