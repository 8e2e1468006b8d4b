import { defineConfig } from 'vitest/config'

/** Runs the guide's code blocks against a real server: `npm run examples`. */
export default defineConfig({
  test: {
    include: ['examples/**/*.examples.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // A code block mostly waits for a process to start or an event to arrive.
    maxConcurrency: 4,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
