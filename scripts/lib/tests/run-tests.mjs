import { provideFastChromium } from '../programs/chromium.mjs'
import { provideRedis } from '../programs/redis.mjs'
import { environment, testSeed, workspacePackages } from '../project.mjs'
import { run } from '../run.mjs'
import {
  addFailure,
  clearResults,
  closingLine,
  countResults,
  describeFailures,
  describeOutsideErrors,
  describeSkipped,
} from './results.mjs'

const browserPackage = '@papermoon/e2e'

/**
 * Runs the tests of all packages for which `isWanted(name)` is true and returns `{ passed, failed, skipped }`. Prints
 * the output of tests that were not cached by turbo.
 */
export async function runTests({ isWanted = () => true } = {}) {
  const all = workspacePackages().filter(({ manifest }) => manifest.scripts?.test)
  const wanted = all.filter(({ manifest }) => isWanted(manifest.name))
  const chromium = wanted.some(isBrowserPackage) ? await provideFastChromium() : undefined
  const redis = await provideRedis()
  const packages = wanted.filter((testPackage) => chromium || !isBrowserPackage(testPackage))
  clearResults(all)
  const { code, output } = await runTurbo(packages, { chromium, redis })
  let total = countResults(packages)
  if (code !== 0 && total.failed === 0) total = addFailure(total, describeOutsideErrors(output))
  const isWithoutBrowser = packages.length < wanted.length
  if (isWithoutBrowser) total.skipped.push({ name: 'all browser tests (apps/e2e)', needs: 'Chromium' })
  if (total.passed + total.failed === 0) total = addFailure(total, 'There was no test to run.')
  const isComplete = redis && !isWithoutBrowser
  if (process.env.CI !== 'true' || isComplete) return total
  return addFailure(total, 'CI needs a Chromium and a redis-server.')
}

/** Runs three packages at a time, of which some wait most of the time. Browser tests run alone, since Chromium needs both of two cores. */
async function runTurbo(packages, { chromium, redis }) {
  const parts = [packages.filter((it) => !isBrowserPackage(it)), packages.filter(isBrowserPackage)]
  const env = { ...environment, CHROMIUM_PATH: chromium ?? '', TEST_MACHINE: describeMachine({ redis }) }
  const runs = []
  for (const part of parts.filter(({ length }) => length > 0)) {
    const filters = part.map(({ manifest }) => `--filter=${manifest.name}`)
    const args = ['run', 'test', '--continue=always', '--concurrency=3', '--output-logs=new-only', ...filters]
    runs.push(await run('turbo', args, { env, isTeed: true }))
  }
  return { code: Math.max(0, ...runs.map(({ code }) => code)), output: runs.map(({ output }) => output).join('') }
}

function isBrowserPackage({ manifest }) {
  return manifest.name === browserPackage
}

/** Part of turbo's cache key: tests skipped on another machine, or by another user, run here. */
function describeMachine({ redis }) {
  return [redis && 'redis-server', process.getuid?.() === 0 && 'root'].filter(Boolean).join(' ')
}

/** Lists skipped and failed tests, prints the closing line and exits with the matching code. */
export function finish(total) {
  if (total.failed > 0)
    process.stdout.write(`Property tests had the seed ${testSeed}; TEST_SEED=${testSeed} repeats it.\n`)
  const lines = [...describeSkipped(total.skipped), ...describeFailures(total.failures)]
  for (const line of lines) process.stdout.write(`${line}\n`)
  process.stdout.write(`${closingLine(total)}\n`)
  process.exit(total.failed > 0 ? 1 : 0)
}
