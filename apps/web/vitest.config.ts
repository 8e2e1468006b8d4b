import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // jsdom costs a second a file: those that need a page begin with `// @vitest-environment jsdom`.
    environment: 'node',
    include: ['test/**/*.test.{ts,tsx}'],
    // A loaded machine needs longer than the default second.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
