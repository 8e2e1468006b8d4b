import { defineConfig } from 'vitest/config'

/**
 * Tests clients in other languages and generated clients on a real server: `npm run generators`. The run may download
 * what it needs.
 */
export default defineConfig({
  test: {
    include: ['{src,test}/**/*.generators.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // A generator and a compiler take seconds, and longer on a loaded machine.
    testTimeout: 480_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
