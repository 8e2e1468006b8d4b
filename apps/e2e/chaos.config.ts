import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/**
 * Tests with floods, stopped or replaced servers, and a packed client. They are the last part of `npm run chaos:short`.
 */
export default defineConfig(base, {
  grep: /@chaos/,
  grepInvert: [],
  // A flood needs most of two CPU cores.
  workers: 2,
  reporter: [['list']],
})
