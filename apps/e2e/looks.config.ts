import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run looks`: every screen at each size and in each scheme, with axe. Apart from the other tests, since they take minutes. */
export default defineConfig(base, {
  grep: /@looks/,
  grepInvert: [],
  reporter: [['list']],
})
