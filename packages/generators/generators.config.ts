import { defineConfig } from 'vitest/config'

/** Generates clients and trades with them on a real server: `npm run generators`. */
export default defineConfig({
  test: {
    include: ['src/**/*.generators.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // A generator and a compiler are seconds of work, more on a loaded machine.
    testTimeout: 480_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
