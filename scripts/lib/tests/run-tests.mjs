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
  describeFlaky,
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

/**
 * Runs three packages at a time, since some wait most of the time. Starts the server's tests first, because they take
 * longest; turbo would begin with their dependencies. Browser tests run alone, since Chromium needs both of two cores.
 */
async function runTurbo(packages, { chromium, redis }) {
  const env = { ...environment, CHROMIUM_PATH: chromium ?? '', TEST_MACHINE: describeMachine({ redis }) }
  const runPart = async (part, concurrency) => {
    if (part.length === 0) return { code: 0, output: '' }
    const filters = part.map(({ manifest }) => `--filter=${manifest.name}`)
    const options = ['--continue=always', `--concurrency=${concurrency}`, '--output-logs=new-only']
    return await run('turbo', ['run', 'test', ...options, ...filters], { env, isTeed: true })
  }
  const others = packages.filter((it) => !isBrowserPackage(it) && !isServerPackage(it))
  const first = await Promise.all([runPart(packages.filter(isServerPackage), 1), runPart(others, 2)])
  const runs = [...first, await runPart(packages.filter(isBrowserPackage), 1)]
  return { code: Math.max(...runs.map(({ code }) => code)), output: runs.map(({ output }) => output).join('') }
}

function isServerPackage({ manifest }) {
  return manifest.name === '@papermoon/api'
}

function isBrowserPackage({ manifest }) {
  return manifest.name === browserPackage
}

/** Part of turbo's cache key, so that tests skipped on another machine, or by another user, run here. */
function describeMachine({ redis }) {
  return [redis && 'redis-server', process.getuid?.() === 0 && 'root'].filter(Boolean).join(' ')
}

/** Lists skipped and failed tests, prints the closing line and exits with the matching code. */
export function finish(total) {
  if (total.failed > 0)
    process.stdout.write(`Property tests had the seed ${testSeed}; TEST_SEED=${testSeed} repeats it.\n`)
  const lines = [...describeSkipped(total.skipped), ...describeFlaky(total.flaky), ...describeFailures(total.failures)]
  for (const line of lines) process.stdout.write(`${line}\n`)
  process.stdout.write(`${closingLine(total)}\n`)
  process.exit(total.failed > 0 ? 1 : 0)
}
