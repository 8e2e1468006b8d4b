import { existsSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readJson, root } from '../project.mjs'

const readers = { 'vitest.json': readVitest, 'playwright.json': readPlaywright }
const toPath = (folder, name) => join(folder, 'test-results', name)
const firstLine = (text = '') => stripVTControlCharacters(text).trim().split('\n')[0]

/** Deletes the results of earlier runs, so that they are not counted again. */
export function clearResults(packages) {
  for (const { folder } of packages) {
    for (const name of Object.keys(readers)) rmSync(toPath(folder, name), { force: true })
  }
}

/**
 * Reads the results of the test runners. `passed` is a number, `failed` and `skipped` are lines that name tests, and
 * `files` are the paths of files with failures.
 */
export function readResults(packages) {
  const all = packages.map(({ folder, manifest }) => {
    const name = Object.keys(readers).find((it) => existsSync(toPath(folder, it)))
    if (name === undefined)
      return { passed: 0, failed: [`${manifest.name}: its tests ended without a result.`], skipped: [], files: [] }
    const { passed, failed, skipped, files } = readers[name](readJson(toPath(folder, name)))
    return {
      passed,
      skipped,
      failed: failed.map((line) => `${manifest.name}: ${line}`),
      files: [...new Set(files)].map((file) => relative(root, resolve(folder, file))),
    }
  })
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.flatMap(({ failed }) => failed),
    skipped: all.flatMap(({ skipped }) => skipped),
    files: all.flatMap(({ files }) => files),
  }
}

function readVitest({ testResults, numPassedTests, success }) {
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed')
    // Count a file that fails before its first test as a failure, too.
    if (status === 'failed' && tests.length === 0) return [`${name}: ${firstLine(message)}`]
    return tests.map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages?.[0])}`)
  })
  // Check `success`, because an unhandled rejection fails no test.
  if (failed.length === 0 && !success) failed.push('an error outside of any test')
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const isLeftOut = ({ status, tags = [] }) => status !== 'passed' && status !== 'failed' && !tags.includes('nightly')
  const skipped = tests.filter(isLeftOut)
  // The meta data of a skipped test names the missing program (`needs` in @papermoon/db/testing).
  const skippedLines = skipped.map(({ fullName, meta }) => `${meta?.needs ?? 'a stated reason'}: ${fullName}`)
  const files = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  return { passed: numPassedTests, failed, skipped: skippedLines, files }
}

function readPlaywright({ stats, errors, suites }) {
  const tests = listSpecs(suites).flatMap(({ title, file, tests: runs }) =>
    runs.map((test) => ({ title, file, ...test })),
  )
  const failed = tests.filter(({ status }) => status === 'unexpected')
  const skipped = tests.filter(({ status }) => status === 'skipped')
  return {
    passed: stats.expected,
    files: failed.map(({ file }) => join('tests', file)),
    failed: [
      ...failed.map(({ title, results }) => `${title}: ${firstLine(results.flatMap((it) => it.errors)[0]?.message)}`),
      ...errors.map(({ message }) => firstLine(message)),
    ],
    skipped: skipped.map(({ title, annotations }) => `${annotations[0]?.description ?? 'a stated reason'}: ${title}`),
  }
}

function listSpecs(suites = []) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...listSpecs(suite.suites)])
}
