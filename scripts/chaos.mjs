import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { provideRedis } from './lib/programs/redis.mjs'
import { environment, fail, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'
import { runPlaywright } from './lib/run-playwright.mjs'
import { listChaosTests } from './lib/tests/find-tests.mjs'
import { runFiles } from './lib/tests/run-files.mjs'

/**
 * Runs the tests that start, kill, fill or flood servers (`*.chaos.ts`), one after another. `npm run chaos` runs the faults
 * of a running market at full size. `npm run chaos:short` runs every fault at small size, including those of pages in a
 * browser. Words after `--` select files by part of their path (`kills nodes`).
 */
const size = { type: 'string' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, rounds: size, seconds: size, clients: size, rate: size, commit: size },
})
const { quick: isQuick, ...sizes } = values
const fullSize = ['apps/api/test/chaos/', 'restore-drill']
const wanted = positionals.length > 0 || isQuick ? positionals : fullSize

requireNode()
await install()
await provideRedis()
if (!isQuick) environment.CHAOS = 'large'
for (const [name, value] of Object.entries(sizes)) environment[`CHAOS_${name.toUpperCase()}`] = value
const groups = listChaosTests(wanted)
if (groups.length === 0) fail(`No chaos test matches ${wanted.join(', ')}.`)
// Servers under test serve the built web app.
const codes = [(await run('turbo', ['run', 'build', '--output-logs=errors-only'])).code]
const options = ['--config', join(root, 'scripts/lib/tests/chaos.config.mjs'), '--root', '.']
for (const group of groups) codes.push(await runFiles(group, { options }))
if (isQuick && positionals.length === 0) codes.push(await runPlaywright('chaos.config.ts', []))
process.exit(Math.max(...codes))
