import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Turn off isolation, so that a worker loads the modules only once for all its test files.
    isolate: false,
    include: ['test/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    setupFiles: '../../scripts/lib/tests/property-seed.mjs',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
