import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run film`: the film of the README. Not part of the tests. */
export default defineConfig(base, {
  testDir: 'film',
  testMatch: '*.film.ts',
  timeout: 600_000,
  reporter: [['list']],
})
