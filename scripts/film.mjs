import { runPlaywright } from './lib/run-playwright.mjs'

/** Films the demo world into docs/images/fair.webp, for the README. */
process.exit(await runPlaywright('film.config.ts'))
