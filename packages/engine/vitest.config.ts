import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: '@papermoon/db/testing/global-setup',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Real servers on a shared machine: CI tries a failed test once more, and its report marks it. Nowhere else.
    retry: process.env.CI === 'true' ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
