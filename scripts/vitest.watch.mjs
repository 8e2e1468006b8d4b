import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Runs all packages' tests for `npm run test:watch`. Each uses its package's configuration. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', 'scripts/vitest.config.mjs'],
    passWithNoTests: true,
  },
})
