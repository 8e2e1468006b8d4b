import { defineConfig } from 'vitest/config'

/** Generates clients and trades with them on a real server: `npm run generators`. */
export default defineConfig({
  test: {
    include: ['src/**/*.generators.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
  },
})
