import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./src/testing/global-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Real servers on a shared machine: CI tries a failed test once more, and its report marks it. Nowhere else.
    retry: process.env.CI === 'true' ? 1 : 0,
    // Servers are started, killed and recovered here.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
