import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const debianChromium = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
/** If this machine has no Chromium, use Playwright's own browser. */
const executablePath = process.env.CHROMIUM_PATH || debianChromium

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results/artifacts',
  // Starts PostgreSQL with a migrated template database. Each tested server gets a copy of this database.
  globalSetup: fileURLToPath(import.meta.resolve('@papermoon/db/testing/global-setup')),
  // `npm run looks` checks every screen at each size and in each colour scheme. `npm run chaos:short` runs tests with
  // floods, stopped servers and a packed client. `npm run nightly -- walks` runs the tests that are tagged @nightly.
  grepInvert: /@looks|@chaos|@nightly/,
  fullyParallel: true,
  workers: 3,
  forbidOnly: process.env.CI === 'true',
  // These timeouts only prevent a test from hanging. A busy machine with two cores may be ten times slower than usual.
  timeout: 300_000,
  expect: { timeout: 60_000 },
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
        // Pages of one browser context share a process, and therefore also the app's compiled code.
        '--renderer-process-limit=1',
      ],
    },
  },
})
