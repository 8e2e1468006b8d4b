import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { provideChromium } from './lib/programs/chromium.mjs'
import { provideRedis } from './lib/programs/redis.mjs'
import { environment, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'
import { listTests } from './lib/tests/list-tests.mjs'

/**
 * Runs the tests that start, kill, fill or flood servers (`*.chaos.ts`), one after another. `npm run chaos` tests
 * failures of a running market at full size. `npm run chaos:short` runs every such test at small size, including those
 * for pages in a browser. Words after `--` select files by part of their path (`kills proxy`).
 */
const size = { type: 'string' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, rounds: size, seconds: size, rate: size, commit: size },
})
const { quick: isQuick, ...sizes } = values
const usual = isQuick ? ['.chaos.ts'] : ['apps/api/test/chaos/', 'restore-drill']
const groups = listTests(positionals.length > 0 ? positionals : usual, /^test\/.+\.chaos\.ts$/)
requireNode()
await install()
await provideRedis()
if (!isQuick) environment.CHAOS = 'large'
for (const [name, value] of Object.entries(sizes)) environment[`CHAOS_${name.toUpperCase()}`] = value
// Servers under test serve the built web app.
const codes = [(await run('turbo', ['run', 'build', '--output-logs=errors-only'])).code]
const config = ['--config', join(root, 'scripts/lib/tests/chaos.config.mjs'), '--root', '.']
for (const { folder, files } of groups)
  await runIn(folder, 'node_modules/vitest/vitest.mjs', 'run', ...files, ...config)
if (isQuick && positionals.length === 0) {
  environment.CHROMIUM_PATH = (await provideChromium()) ?? ''
  await runIn(join(root, 'apps/e2e'), 'node_modules/@playwright/test/cli.js', 'test', '-c', 'chaos.config.ts')
}
process.exit(Math.max(...codes))

async function runIn(folder, ...args) {
  codes.push((await run(productNode(), args, { cwd: folder })).code)
}
