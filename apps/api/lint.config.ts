import { defineConfig } from 'vitest/config'

/** Lints the OpenAPI document: the task `lint:openapi` of `npm run check`. */
export default defineConfig({
  test: {
    include: ['lint/**/*.lint.ts'],
    testTimeout: 120_000,
  },
})
