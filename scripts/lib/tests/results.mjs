import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readJson } from '../project.mjs'

const readers = { 'vitest.json': countVitest, 'playwright.json': countPlaywright }

/** Deletes results of earlier runs, so that they are not counted again. */
export function clearResults(packages) {
  for (const path of packages.flatMap(resultPaths)) rmSync(path, { force: true })
}

export const noResults = Object.freeze({ passed: 0, failed: 0, skipped: [], failures: [], flaky: [] })

/**
 * Adds up the result files of `packages`. `skipped` is a list of `{ name, needs }`, `failures` and `flaky` are lists of
 * sentences. A package without a result file has crashed, which counts as a failure.
 */
export function countResults(packages) {
  return packages.map(countPackage).reduce(addResults, noResults)
}

export function addResults(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: [...one.skipped, ...other.skipped],
    failures: [...one.failures, ...other.failures],
    flaky: [...one.flaky, ...other.flaky],
  }
}

/** Prints a failure that no test reported, and returns `total` with it added. */
export function addFailure(total, sentence) {
  process.stderr.write(`${sentence}\n`)
  return addResults(total, { ...noResults, failed: 1, failures: [sentence] })
}

function countPackage(testPackage) {
  const path = resultPaths(testPackage).find(existsSync)
  const { name } = testPackage.manifest
  if (path === undefined) return addFailure(noResults, `${name}: its tests ended without a result.`)
  const counts = countFile(path)
  const withName = (sentence) => `${name}: ${sentence}`
  return { ...counts, failures: counts.failures.map(withName), flaky: counts.flaky.map(withName) }
}

function resultPaths({ folder }) {
  return Object.keys(readers).map((name) => join(folder, 'test-results', name))
}

function countFile(path) {
  const name = Object.keys(readers).find((reader) => path.endsWith(reader))
  return readers[name](readJson(path))
}

/** One sentence for a run that failed although no test did: its packages and errors, from turbo's output. */
export function describeOutsideErrors(output) {
  const text = stripVTControlCharacters(output)
  const names = [...text.matchAll(/^Failed: +(.+)$/gm)].map(([, list]) => list.replaceAll('#test', ''))
  const errors = [
    ...text.matchAll(/^\S+:test: +(\w*Error: .*|This error originated in "[^"]*"|error during close.*)/gm),
  ]
  const lines = [...new Set(errors.map(([, line]) => line))].slice(0, 5)
  return [`A run of ${names.join(', ') || 'tests'} ended with an error though no test failed.`, ...lines].join(' ')
}

/** Parses the counts in the last line of a test run's output, and the failures named before; null if there is no such line. */
export function parseClosingLine(output) {
  const match = output.trimEnd().match(/(?:^|\n)(\d+) passed, (\d+) failed$/)
  const failures = [...output.matchAll(/^Failed: (.*)$/gm)].map(([, failure]) => failure)
  return match && { passed: Number(match[1]), failed: Number(match[2]), failures }
}

/** One line per failure. Often only the last lines of a long log are kept. */
export function describeFailures(failures) {
  return failures.map((failure) => `Failed: ${failure}`)
}

/** One line per test that passed only when retried. */
export function describeFlaky(flaky) {
  return flaky.map((failure) => `Passed only when tried again: ${failure}`)
}

export function closingLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`
}

/** One line per program that this machine lacks, with the tests skipped because of it. */
export function describeSkipped(skipped) {
  const allNeeds = [...new Set(skipped.map(({ needs }) => needs))]
  return allNeeds.map((need) => {
    const names = skipped.filter(({ needs }) => needs === need).map(({ name }) => name)
    const reason = need === undefined ? 'Skipped without a stated reason' : `Not run here, for want of ${need}`
    return `${reason} (${names.length}): ${names.join(' · ')}`
  })
}

function countVitest(report) {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failures = report.testResults.flatMap(listFailures)
  // Errors outside of tests, such as an unhandled rejection, show only in `success`.
  if (failures.length === 0 && !report.success) failures.push('an error outside of any test')
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: tests.filter(isSkipped).map(toSkipped),
    failures,
    // A test that passed when retried keeps its first error.
    flaky: tests.filter((test) => test.status === 'passed' && test.failureMessages?.length > 0).map(describeTest),
  }
}

/** A file that fails before its first test counts as one failure. */
function listFailures({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter(isFailed)
  if (status === 'failed' && failed.length === 0) return [`${name}: ${firstLine(message)}`]
  return failed.map(describeTest)
}

function describeTest({ fullName, failureMessages }) {
  return `${fullName}: ${firstLine(failureMessages?.[0])}`
}

/** First line of an error's text, without terminal colours. */
function firstLine(message = '') {
  return stripVTControlCharacters(message).trim().split('\n')[0]
}

function isSkipped({ status }) {
  return status !== 'passed' && status !== 'failed'
}

/** Tests declare what they need in their meta: see `needs` of @papermoon/db/testing. */
function toSkipped({ fullName, meta }) {
  return { name: fullName, needs: meta?.needs }
}

function isFailed(test) {
  return test.status === 'failed'
}

function countPlaywright({ stats, errors, suites }) {
  const specs = listSpecs(suites)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: specs.filter(hasStatus('skipped')).map(toSkippedSpec),
    failures: [
      ...specs.filter(hasStatus('unexpected')).map(describeSpec),
      ...errors.map(({ message }) => firstLine(message)),
    ],
    flaky: specs.filter(hasStatus('flaky')).map(describeSpec),
  }
}

function hasStatus(status) {
  return ({ tests }) => tests.some((test) => test.status === status)
}

/** The title of a browser test, with the first of its errors. */
function describeSpec({ title, tests }) {
  const errors = tests.flatMap(({ results = [] }) => results.flatMap((result) => result.errors ?? []))
  return `${title}: ${firstLine(errors[0]?.message)}`
}

function listSpecs(suites = []) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...listSpecs(suite.suites)])
}

/** Browser tests declare what they need with `test.skip(condition, what)`. */
function toSkippedSpec({ title, tests }) {
  const annotations = tests.flatMap((test) => test.annotations)
  return { name: title, needs: annotations.find(({ type }) => type === 'skip')?.description }
}
