import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/**
 * Configures the tests with floods, with stopped or replaced servers, and with the packed client, which are the last
 * part of `npm run chaos:short`.
 */
export default defineConfig(base, {
  grep: /@chaos/,
  grepInvert: [],
  // Run only two workers, because a flood needs most of two CPU cores.
  workers: 2,
  reporter: [['list']],
})
