import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode } from './lib/node-version.mjs'
import { provideChromium, provideRedis } from './lib/programs.mjs'
import { environment, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'
import { listTests } from './lib/tests/list-tests.mjs'

/**
 * Runs the tests that start, kill, fill or flood servers (`*.chaos.ts`), one after another. `npm run chaos` tests
 * failures of a running market at full size. `npm run chaos:short` runs every such test at small size, including those
 * for pages in a browser. Words after `--` select files by part of their path (`kills proxy`).
 */
const words = process.argv.slice(2).filter((word) => word !== '--quick')
const isQuick = process.argv.includes('--quick')
const usual = isQuick ? ['.chaos.ts'] : ['apps/api/test/chaos/', 'restore-drill']
const groups = listTests(words.length > 0 ? words : usual, /^test\/.+\.chaos\.ts$/)
await install()
await provideRedis()
if (!isQuick) environment.CHAOS = 'large'
// Build the web app first, because tested servers serve it.
const codes = [(await run('turbo', ['run', 'build', '--output-logs=errors-only'])).code]
const config = ['--config', join(root, 'scripts/lib/tests/chaos.config.mjs'), '--root', '.']
for (const { folder, files } of groups)
  await runIn(folder, 'node_modules/vitest/vitest.mjs', 'run', ...files, ...config)
if (isQuick && words.length === 0) {
  environment.CHROMIUM_PATH = (await provideChromium()) ?? ''
  await runIn(join(root, 'apps/e2e'), 'node_modules/@playwright/test/cli.js', 'test', '-c', 'chaos.config.ts')
}
process.exit(Math.max(...codes))

async function runIn(folder, ...args) {
  codes.push((await run(productNode(), args, { cwd: folder })).code)
}
