import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run t` also runs tests that are tagged @nightly. `npm run nightly -- walks` runs only these. */
export default defineConfig(base, { grepInvert: /@looks|@chaos/ })
