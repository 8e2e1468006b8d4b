import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { mantineVariables } from './build/mantine-variables.ts'
import { publicQueries } from './build/public-queries.ts'

// Workers start with jsdom and React compiled: a fifth less CPU time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

export default defineConfig({
  plugins: [mantineVariables(), publicQueries()],
  test: {
    // jsdom costs a second a file: those that need a page begin with `// @vitest-environment jsdom`.
    environment: 'node',
    // Loading React and jsdom for each file took seven eighths of the time.
    isolate: false,
    setupFiles: './test/support/fresh-page.ts',
    include: ['test/**/*.test.{ts,tsx}'],
    // A loaded machine needs longer than the default second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
