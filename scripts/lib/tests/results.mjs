import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from '../project.mjs'

const readers = { 'vitest.json': countVitest, 'playwright.json': countPlaywright }

/** Deletes results of earlier runs, so that they are not counted again. */
export function clearResults(packages) {
  for (const path of packages.flatMap(resultPaths)) rmSync(path, { force: true })
}

/**
 * Adds up the result files of `packages`; `skipped` is a list of `{ name, needs }`. A package without a result file has
 * crashed, which counts as a failure.
 */
export function countResults(packages) {
  return packages.map(countPackage).reduce(addResults, { passed: 0, failed: 0, skipped: [] })
}

export function addResults(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: [...one.skipped, ...other.skipped],
  }
}

/** Counts and prints a failure that no test reported. */
export function addFailure(total, sentence) {
  process.stderr.write(`${sentence}\n`)
  total.failed += 1
}

function countPackage(testPackage) {
  const path = resultPaths(testPackage).find(existsSync)
  if (path) return countFile(path)
  process.stderr.write(`${testPackage.manifest.name}: its tests ended without a result.\n`)
  return { passed: 0, failed: 1, skipped: [] }
}

function resultPaths({ folder }) {
  return Object.keys(readers).map((name) => join(folder, 'test-results', name))
}

function countFile(path) {
  const name = Object.keys(readers).find((reader) => path.endsWith(reader))
  return readers[name](readJson(path))
}

/** Parses the counts in the last line of a test run's output; null if it ended differently. */
export function parseClosingLine(output) {
  const match = output.trimEnd().match(/(?:^|\n)(\d+) passed, (\d+) failed$/)
  return match && { passed: Number(match[1]), failed: Number(match[2]) }
}

export function closingLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`
}

/** One line per thing that this machine lacks, with the tests skipped because of it. */
export function describeSkipped(skipped) {
  const allNeeds = [...new Set(skipped.map(({ needs }) => needs))]
  return allNeeds.map((need) => {
    const names = skipped.filter(({ needs }) => needs === need).map(({ name }) => name)
    const reason = need === undefined ? 'Skipped without a stated reason' : `Not run here, for want of ${need}`
    return `${reason} (${names.length}): ${names.join(' · ')}`
  })
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
    skipped: report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(isSkipped).map(toSkipped)),
  }
}

function isSkipped({ status }) {
  return status !== 'passed' && status !== 'failed'
}

/** Tests declare what they lack in their meta: see `needs` of @papermoon/db/testing. */
function toSkipped({ fullName, meta }) {
  return { name: fullName, needs: meta?.needs }
}

function isFailed(test) {
  return test.status === 'failed'
}

/** A test that passes only on a retry counts as failed. */
function countPlaywright({ stats, errors, suites }) {
  const skipped = listSpecs(suites).filter(isSkippedSpec).map(toSkippedSpec)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped }
}

function listSpecs(suites = []) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...listSpecs(suite.suites)])
}

function isSkippedSpec({ tests }) {
  return tests.some(({ status }) => status === 'skipped')
}

/** Browser tests declare what they lack with `test.skip(condition, what)`. */
function toSkippedSpec({ title, tests }) {
  const annotations = tests.flatMap((test) => test.annotations)
  return { name: title, needs: annotations.find(({ type }) => type === 'skip')?.description }
}
