import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./src/testing/global-setup.ts'],
    setupFiles: '../../scripts/lib/tests/property-seed.mjs',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // These tests start, kill and recover servers, so a loaded machine needs longer than the default of one second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
