import { defineConfig } from 'vitest/config'
import tags from '../../scripts/lib/tests/tags.json' with { type: 'json' }

export default defineConfig({
  test: {
    tags,
    // Without isolation, a worker loads the modules only once for all its test files.
    isolate: false,
    include: ['test/**/*.test.ts'],
    setupFiles: '../../scripts/lib/tests/property-seed.mjs',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
