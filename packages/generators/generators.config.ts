import { defineConfig } from 'vitest/config'

/**
 * Tests clients in other languages and generated clients on a real server: `npm run generators`. The tests may download
 * generators.
 */
export default defineConfig({
  test: {
    include: ['{src,test}/**/*.generators.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // A generator and a compiler take many seconds on a busy machine.
    testTimeout: 480_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
