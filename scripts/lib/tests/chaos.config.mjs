import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Max time of a test. A chaos test takes minutes at full size. */
const timeout = process.env.CHAOS === 'large' ? 3_600_000 : 240_000

/**
 * Configures the tests of failures and long runs, which load the machine for many seconds. `npm run chaos:short` runs
 * them at small size. CI runs two of the files, and the nightly run runs all.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.chaos.ts'],
    globalSetup: fileURLToPath(new URL('../../../packages/db/src/testing/global-setup.ts', import.meta.url)),
    setupFiles: fileURLToPath(new URL('property-seed.mjs', import.meta.url)),
    // Run one file at a time, because each loads the whole machine.
    fileParallelism: false,
    // Allow more than the default of one second, because the machine may be busy.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: timeout,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
