import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run journeys`: what players do, from end to end, with a film strip of each. Not part of the tests. */
export default defineConfig(base, {
  testDir: 'journeys',
  testMatch: '*.journey.ts',
  timeout: 300_000,
  // Seconds are measured.
  workers: 1,
  fullyParallel: false,
  reporter: [['list']],
})
