import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/**
 * `npm run looks` checks every screen with axe, at each size and in each colour scheme. These checks are separate from
 * the other tests, because they take minutes.
 */
export default defineConfig(base, {
  testDir: '.',
  testMatch: ['looks/*.looks.ts', 'tests/**/*.spec.ts'],
  grep: /@looks/,
  grepInvert: [],
  reporter: [['list']],
})
