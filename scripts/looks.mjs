import { runPlaywright } from './lib/run-playwright.mjs'

/** Checks every screen at each size and in each scheme: whether it fits, and what axe finds. */
process.exit(await runPlaywright('looks.config.ts'))
