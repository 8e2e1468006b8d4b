import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode } from './lib/node-version.mjs'
import { prepareBrowserTests } from './lib/programs.mjs'
import { fail } from './lib/project.mjs'
import { run } from './lib/run.mjs'
import { listTests } from './lib/tests/list-tests.mjs'

/**
 * `npm run t -- WORD…`: runs the test files that a word names, by their path or a part of it. Options after the words
 * go to the test runner. `--stress` runs the files 20 times beside two busy loops. `npm run test:watch` reruns the
 * files at each save; without words, it runs the tests for uncommitted changes.
 */
const given = process.argv.slice(2)
const isWatching = given[0] === '--watch'
if (isWatching) given.shift()
const end = given.findIndex((word) => word.startsWith('-'))
const words = end === -1 ? given : given.slice(0, end)
const options = given.slice(words.length).filter((option) => option !== '--stress')
const isStress = given.includes('--stress')
const groups = words.length > 0 ? listTests(words) : []
if (groups.length === 0 && (words.length > 0 || !isWatching)) fail(`No test file matches “${words.join(' ')}”.`)
await install()
const codes = []
const loops = isStress ? [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : []
process.on('exit', () => {
  for (const loop of loops) loop.kill()
})
for (let times = isStress ? 20 : 1; times > 0; times--) for (const group of groups) codes.push(await runGroup(group))
if (isStress) process.stdout.write(`${codes.filter((code) => code !== 0).length} of ${codes.length} runs failed\n`)
if (groups.length === 0) codes.push(await runVitest('scripts', ['watch', '--changed', '--config', 'vitest.watch.mjs']))
process.exit(Math.max(...codes))

async function runGroup({ folder, files }) {
  if (!existsSync(join(folder, 'playwright.config.ts'))) {
    return await runVitest(folder, [isWatching ? 'watch' : 'run', ...files])
  }
  const env = await prepareBrowserTests()
  const args = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'walks.config.ts', ...files, ...options]
  return (await run(productNode(), args, { cwd: folder, env })).code
}

async function runVitest(folder, args) {
  return (await run(productNode(), ['node_modules/vitest/vitest.mjs', ...args, ...options], { cwd: folder })).code
}
