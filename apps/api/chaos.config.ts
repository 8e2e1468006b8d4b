import { defineConfig } from 'vitest/config'

/** Faults that load the machine for many seconds, in little: `npm run chaos:short`, which CI runs. */
export default defineConfig({
  test: {
    include: ['test/chaos/**/*.chaos.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // Each fault is a load of its own.
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
