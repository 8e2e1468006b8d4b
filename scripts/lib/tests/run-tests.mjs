import { provideChromium, provideRedis } from '../programs.mjs'
import { environment, testSeed } from '../project.mjs'
import { run } from '../run.mjs'
import { clearResults, readResults } from './results.mjs'

/** Max number of files with failed tests that are run again. */
const AGAIN_MAX = 5
const isServer = ({ manifest }) => manifest.name === '@papermoon/api'
const isBrowser = ({ manifest }) => manifest.name === '@papermoon/e2e'

/**
 * Runs the packages' tests, lists failed tests and missing programs, and ends with `N passed, N failed`. Each entry of
 * `failures` counts as a further failure. Returns the exit code.
 */
export async function runTests(wanted, failures = []) {
  const chromium = wanted.some(isBrowser) ? await provideChromium({ isForAll: true }) : undefined
  const redis = await provideRedis()
  const packages = wanted.filter((it) => chromium || !isBrowser(it))
  clearResults(wanted)
  const code = await runTurbo(packages, { chromium, redis })
  const results = readResults(packages)
  const failed = [...failures, ...results.failed]
  if (code !== 0 && results.failed.length === 0) failed.push('A run ended with an error though no test failed.')
  if (results.passed === 0) failed.push('No test passed.')
  const isComplete = redis && packages.length === wanted.length
  if (process.env.CI === 'true' && !isComplete) failed.push('CI needs a Chromium and a redis-server.')
  if (packages.length < wanted.length) results.skipped.push('Chromium: all browser tests (apps/e2e)')
  for (const test of results.skipped) process.stdout.write(`Not run here, for want of ${test}\n`)
  // Run failed files again only for the report, because the run still counts as failed.
  const again = process.env.CI === 'true' ? results.files.slice(0, AGAIN_MAX) : []
  for (const file of again) {
    const { code } = await run('node', ['scripts/t.mjs', file])
    process.stdout.write(`Alone, ${file} ${code === 0 ? 'passes' : 'fails again'}.\n`)
  }
  for (const test of failed) process.stdout.write(`Failed: ${test}\n`)
  if (failed.length > 0) process.stdout.write(`TEST_SEED=${testSeed} repeats the random inputs.\n`)
  process.stdout.write(`${results.passed} passed, ${failed.length} failed\n`)
  return failed.length > 0 ? 1 : 0
}

/**
 * Runs three packages at a time, because some of them wait most of the time. The server's tests begin first, because
 * they take longest. Without this order, turbo would begin with the packages that these tests import. Browser tests run
 * alone, because Chromium needs both of two cores.
 */
async function runTurbo(packages, { chromium, redis }) {
  // A part of turbo's cache key, so that tests that were skipped on another machine or for another user run here.
  const machine = [redis && 'redis-server', process.getuid?.() === 0 && 'root'].filter(Boolean).join(' ')
  const env = { ...environment, CHROMIUM_PATH: chromium ?? '', TEST_MACHINE: machine }
  const runPart = async (part, concurrency) => {
    if (part.length === 0) return 0
    const filters = part.map(({ manifest }) => `--filter=${manifest.name}`)
    const options = ['--continue=always', `--concurrency=${concurrency}`, '--output-logs=new-only']
    return (await run('turbo', ['run', 'test', ...options, ...filters], { env })).code
  }
  const others = packages.filter((it) => !isBrowser(it) && !isServer(it))
  const codes = await Promise.all([runPart(packages.filter(isServer), 1), runPart(others, 2)])
  return Math.max(...codes, await runPart(packages.filter(isBrowser), 1))
}
