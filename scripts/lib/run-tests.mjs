import { provideChromium } from './chromium.mjs'
import { environment, workspacePackages } from './project.mjs'
import { provideRedis } from './redis.mjs'
import { addFailure, clearResults, closingLine, countResults, describeSkipped } from './results.mjs'
import { run } from './run.mjs'

const browserPackage = '@papermoon/e2e'

/** Runs the tests of every package, showing their output, and returns `{ passed, failed, skipped }`. */
export async function runTests() {
  const all = workspacePackages().filter(({ manifest }) => manifest.scripts?.test)
  const chromium = await provideChromium()
  const redis = await provideRedis()
  const packages = chromium ? all : all.filter(({ manifest }) => manifest.name !== browserPackage)
  clearResults(all)
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`)
  // One package at a time: Chromium beside other suites on two cores makes for tests that fail now and then.
  const args = ['run', 'test', '--continue=always', '--concurrency=1', ...filters]
  const env = { ...environment, CHROMIUM_PATH: chromium ?? '', TEST_MACHINE: describeMachine({ redis }) }
  const { code } = await run('turbo', args, { env })
  const total = countResults(packages)
  if (code !== 0 && total.failed === 0) addFailure(total, 'A test run ended with an error though no test failed.')
  if (!chromium) total.skipped.push({ name: 'all browser tests (apps/e2e)', needs: 'Chromium' })
  if (total.passed + total.failed === 0) addFailure(total, 'There was no test to run.')
  if (process.env.CI === 'true' && !(chromium && redis)) addFailure(total, 'CI needs a Chromium and a redis-server.')
  return total
}

/** Part of the key of turbo's cache: what was skipped on another machine, or by another user, runs here. */
function describeMachine({ redis }) {
  return [redis && 'redis-server', process.getuid?.() === 0 && 'root'].filter(Boolean).join(' ')
}

/** Names what was skipped, prints the closing line and ends the process with the code that fits it. */
export function finish(total) {
  for (const line of describeSkipped(total.skipped)) process.stdout.write(`${line}\n`)
  process.stdout.write(`${closingLine(total)}\n`)
  process.exit(total.failed > 0 ? 1 : 0)
}
