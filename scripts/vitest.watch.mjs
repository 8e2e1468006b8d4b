import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Runs all packages' tests for `npm run test:watch`, each with the configuration of its package. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', 'scripts/vitest.config.mjs'],
    passWithNoTests: true,
  },
})
