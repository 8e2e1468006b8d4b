import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** At full size, a fault takes minutes. */
const timeout = process.env.CHAOS === 'large' ? 3_600_000 : 240_000

/**
 * Faults and long runs that load the machine for many seconds, at small size: `npm run chaos:short`. CI runs two of its
 * files, the nightly run all.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.chaos.ts'],
    globalSetup: fileURLToPath(new URL('../../../packages/db/src/testing/global-setup.ts', import.meta.url)),
    setupFiles: fileURLToPath(new URL('property-seed.mjs', import.meta.url)),
    // Each fault loads the machine by itself.
    fileParallelism: false,
    // A loaded machine needs longer than the default second.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: timeout,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
