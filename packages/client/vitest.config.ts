import { defineConfig } from 'vitest/config'
import tags from '../../scripts/lib/tests/tags.json' with { type: 'json' }

export default defineConfig({
  test: {
    tags,
    globalSetup: '@papermoon/db/testing/global-setup',
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Allow more than the default of one second, because the machine may be busy.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
