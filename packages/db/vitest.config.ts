import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./src/testing/global-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Servers are started, killed and recovered here.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
