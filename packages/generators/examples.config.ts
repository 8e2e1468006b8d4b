import { defineConfig } from 'vitest/config'

/** Runs the guide's code blocks against a real server: `npm run examples`. */
export default defineConfig({
  test: {
    include: ['examples/**/*.examples.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // Run several code blocks at once, because most of the time they wait for processes and events.
    maxConcurrency: 4,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
