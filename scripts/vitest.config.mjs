import { defineConfig } from 'vitest/config'
import tags from './lib/tests/tags.json' with { type: 'json' }

export default defineConfig({
  test: {
    tags,
    // Turn off isolation, so that a worker loads the modules only once for all its test files.
    isolate: false,
    include: ['test/**/*.test.mjs'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    setupFiles: './lib/tests/property-seed.mjs',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
