import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Without isolation, a worker loads the modules only once for all its test files.
    isolate: false,
    include: ['test/**/*.test.ts'],
    // Allow more than the default of one second, because the machine may be busy.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
