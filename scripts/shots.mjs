import { join } from 'node:path'
import { root } from './lib/project.mjs'
import { runPlaywright } from './lib/run-playwright.mjs'

/** Takes screenshots of every screen into .shots/. Arguments are passed to Playwright, such as `-g token`. */
const code = await runPlaywright('shots.config.ts')
process.stdout.write(`${join(root, '.shots')}\n`)
process.exit(code)
