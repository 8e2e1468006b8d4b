import { defineConfig } from 'vitest/config'

/** Clients in other languages, and generated ones, on a real server: `npm run generators`, which may fetch what they need. */
export default defineConfig({
  test: {
    include: ['{src,test}/**/*.generators.ts'],
    globalSetup: '@papermoon/db/testing/global-setup',
    // A generator and a compiler are seconds of work, more on a loaded machine.
    testTimeout: 480_000,
    hookTimeout: 240_000,
    reporters: ['verbose'],
  },
})
