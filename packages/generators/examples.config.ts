import { defineConfig } from 'vitest/config'

/** Runs the guide's code blocks against a real server: `npm run examples`. */
export default defineConfig({
  test: {
    include: ['examples/**/*.examples.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // Most of a block's time is waiting for a process to start or an event to come.
    maxConcurrency: 4,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
