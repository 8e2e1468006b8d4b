import { provideChromium } from './chromium.mjs'
import { environment, workspacePackages } from './project.mjs'
import { provideRedis } from './redis.mjs'
import { clearResults, countResults } from './results.mjs'
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
  const { code } = await run('turbo', args, { env: { ...environment, CHROMIUM_PATH: chromium ?? '' } })
  const total = countResults(packages)
  if (code !== 0 && total.failed === 0) {
    process.stderr.write('A test run ended with an error though none of its tests failed.\n')
    total.failed = 1
  }
  if (!chromium) reportNoBrowser(total)
  if (!redis)
    process.stderr.write(
      'No redis-server was found, nor could one be installed: the tests of several nodes over Redis did not run.\n',
    )
  if (total.passed + total.failed === 0) {
    process.stderr.write('There was no test to run.\n')
    total.failed = 1
  }
  return total
}

function reportNoBrowser(total) {
  const isCi = process.env.CI === 'true'
  process.stderr.write('No Chromium was found, nor could one be installed: the browser tests (apps/e2e) did not run.\n')
  if (isCi) total.failed += 1
}

/** Prints the closing line and ends the process with the code that fits it. */
export function finish({ passed, failed, skipped }) {
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
  process.exit(failed > 0 ? 1 : 0)
}
