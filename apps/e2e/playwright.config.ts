import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const debianChromium = '/usr/bin/chromium'
/** Playwright's own browser where none is named and the system has none. */
const executablePath = process.env.CHROMIUM_PATH || (existsSync(debianChromium) ? debianChromium : undefined)

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results/artifacts',
  // PostgreSQL with a migrated template: each server under test gets a database of its own from it.
  globalSetup: fileURLToPath(import.meta.resolve('@papermoon/db/testing/global-setup')),
  fullyParallel: true,
  workers: 2,
  forbidOnly: process.env.CI === 'true',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
