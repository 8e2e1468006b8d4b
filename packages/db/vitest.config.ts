import { defineConfig } from 'vitest/config'
import tags from '../../scripts/lib/tests/tags.json' with { type: 'json' }

export default defineConfig({
  test: {
    tags,
    // Without isolation, a worker loads the modules only once for all its test files.
    isolate: false,
    include: ['test/**/*.test.ts'],
    globalSetup: ['./src/testing/global-setup.ts'],
    setupFiles: '../../scripts/lib/tests/property-seed.mjs',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Allow more than the default of one second, because these tests start, kill and recover servers, and the machine
    // may be busy.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
