import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** Floods, servers that go away or are replaced, and a packed client: the last part of `npm run chaos:short`. */
export default defineConfig(base, {
  grep: /@chaos/,
  grepInvert: [],
  // A flood needs most of two cores.
  workers: 2,
  reporter: [['list']],
})
