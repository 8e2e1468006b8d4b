import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { generated } from './build/generated.ts'

// Cache the compiled code of jsdom and React, which saves workers a fifth of their CPU time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

export default defineConfig({
  plugins: [generated()],
  test: {
    // A file that needs a page begins with `// @vitest-environment jsdom`, because jsdom costs one second per file.
    environment: 'node',
    // Share modules between files, because isolation would load React and jsdom for each file.
    isolate: false,
    setupFiles: './test/support/fresh-page.ts',
    include: ['test/**/*.test.{ts,tsx}'],
    // Allow more than the default of one second, because the machine may be busy.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
