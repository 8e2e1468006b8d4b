import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run shots` takes a picture of every screen for design work. It is not part of the tests. */
export default defineConfig(base, {
  testDir: 'shots',
  testMatch: '*.shots.ts',
  reporter: [['list']],
})
