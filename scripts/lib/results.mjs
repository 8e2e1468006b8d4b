import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from './project.mjs'

const readers = { 'vitest.json': countVitest, 'playwright.json': countPlaywright }

/** Removes what an earlier run left, so that it is never counted for this one. */
export function clearResults(packages) {
  for (const path of packages.flatMap(resultPaths)) rmSync(path, { force: true })
}

/** Adds up the result files of `packages`. One that wrote none has crashed: that is a failure. */
export function countResults(packages) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const testPackage of packages) {
    const path = resultPaths(testPackage).find(existsSync)
    const counts = path ? countFile(path) : { passed: 0, failed: 1, skipped: 0 }
    if (!path) process.stderr.write(`${testPackage.manifest.name}: its tests ended without a result.\n`)
    for (const key of Object.keys(total)) total[key] += counts[key]
  }
  return total
}

function resultPaths({ folder }) {
  return Object.keys(readers).map((name) => join(folder, 'test-results', name))
}

function countFile(path) {
  const name = Object.keys(readers).find((reader) => path.endsWith(reader))
  return readers[name](readJson(path))
}

function countVitest(report) {
  // A file that fails before its first test counts as one failure.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(isFailed),
  )
  const failed = report.numFailedTests + brokenFiles.length
  return {
    passed: report.numPassedTests,
    // Errors outside of any test (an unhandled rejection) show only here.
    failed: failed === 0 && !report.success ? 1 : failed,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }
}

function isFailed(test) {
  return test.status === 'failed'
}

/** A flaky test passed at last; the retries that it took are the report's to show. */
function countPlaywright({ stats, errors }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, skipped: stats.skipped }
}
