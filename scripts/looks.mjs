import { runPlaywright } from './lib/run-playwright.mjs'

/** Looks at every screen at each size and in each scheme: does it fit, and what does axe find? */
process.exit(await runPlaywright('looks.config.ts'))
