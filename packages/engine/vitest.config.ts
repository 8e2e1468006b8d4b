import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: '@papermoon/db/testing/global-setup',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
