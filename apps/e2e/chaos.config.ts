import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** Floods, servers that go away or are replaced, and a packed client, as a page sees them: the last part of `npm run chaos:short`. */
export default defineConfig(base, {
  grep: /@chaos/,
  grepInvert: [],
  reporter: [['list']],
})
