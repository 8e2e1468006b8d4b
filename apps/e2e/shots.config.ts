import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run shots` takes pictures of every screen for design work. The pictures are not part of the tests. */
export default defineConfig<{ isPicture: boolean }>(base, {
  testDir: 'looks',
  testMatch: '*.looks.ts',
  grepInvert: [],
  use: { isPicture: true },
  reporter: [['list']],
})
