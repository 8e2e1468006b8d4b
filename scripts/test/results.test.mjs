import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  addResults,
  closingLine,
  countResults,
  describeFailures,
  describeOutsideErrors,
  describeSkipped,
  noResults,
  parseClosingLine,
} from '../lib/tests/results.mjs'

/** A package whose tests wrote `report`. */
function packageWith(name, report) {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'test-results'))
  if (report) writeFileSync(join(folder, 'test-results', name), JSON.stringify(report))
  return { folder, manifest: { name: 'tried' } }
}

function vitestReport(assertionResults, { success = true, status = 'passed' } = {}) {
  const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length
  return {
    success,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    testResults: [{ status, assertionResults }],
  }
}

const passed = { status: 'passed', fullName: 'passes' }

describe('describeOutsideErrors', () => {
  it('names the packages that failed, and each error once, with the file that ran', () => {
    const line = (text) => `\u001b[36m@papermoon/api:test: \u001b[0m${text}`
    const error = [line('AbortError: aborted'), line('This error originated in "test/a.test.ts" test file. It')]
    const output = [
      ...error,
      ...error,
      line('✓ a test of an Error: it'),
      ' Tasks: 1',
      'Failed:    @papermoon/api#test',
      '',
    ]
    expect(describeOutsideErrors(output.join('\n'))).toBe(
      'A run of @papermoon/api ended with an error though no test failed. ' +
        'AbortError: aborted This error originated in "test/a.test.ts"',
    )
    expect(describeOutsideErrors('')).toBe('A run of tests ended with an error though no test failed.')
  })
})

describe('countResults', () => {
  it('counts what passed, what failed, what passed only when tried again, and what was skipped for want of what', () => {
    const failed = { status: 'failed', fullName: 'fails', failureMessages: ['\u001b[31mError: no\u001b[39m\n  at it'] }
    const skipped = { status: 'skipped', fullName: 'talks by Redis', meta: { needs: 'redis-server' } }
    const flaky = { status: 'passed', fullName: 'waits', failureMessages: ['Error: late\n  at it'] }
    const report = vitestReport([passed, failed, skipped, flaky], { success: false })
    expect(countResults([packageWith('vitest.json', report)])).toEqual({
      passed: 2,
      failed: 1,
      skipped: [{ name: 'talks by Redis', needs: 'redis-server' }],
      failures: ['tried: fails: Error: no'],
      flaky: ['tried: waits: Error: late'],
    })
  })

  it.each([
    ['an error outside of any test', vitestReport([passed], { success: false })],
    ['a file that fails before its first test', vitestReport([], { success: false, status: 'failed' })],
    ['tests that ended without a result', null],
  ])('counts %s as a failure', (_, report) => {
    expect(countResults([packageWith('vitest.json', report)]).failed).toBe(1)
  })

  it('reads what Playwright writes: a test that passed only when tried again is named, and so is a skipped one', () => {
    const skippedSpec = {
      title: 'installs the app',
      tests: [{ status: 'skipped', annotations: [{ type: 'skip', description: 'a display' }] }],
    }
    const stats = { expected: 2, flaky: 1, unexpected: 1, skipped: 1 }
    const results = [{ errors: [{ message: 'Error: not there\n  at it' }] }]
    const failedSpec = { title: 'opens', tests: [{ status: 'unexpected', annotations: [], results }] }
    const flakySpec = { title: 'closes', tests: [{ status: 'flaky', annotations: [], results }] }
    const errors = [{ message: 'Error: no browser' }]
    const report = { stats, errors, suites: [{ suites: [{ specs: [skippedSpec, failedSpec, flakySpec] }] }] }
    expect(countResults([packageWith('playwright.json', report)])).toEqual({
      passed: 3,
      failed: 2,
      skipped: [{ name: 'installs the app', needs: 'a display' }],
      failures: ['tried: opens: Error: not there', 'tried: Error: no browser'],
      flaky: ['tried: closes: Error: not there'],
    })
  })
})

describe('the end of a run', () => {
  it('is a line that another run can read and add to its own', () => {
    const total = { passed: 12, failed: 1, skipped: [{ name: 'a' }], failures: ['tried: fails: Error: no'] }
    const lines = ['Skipped without a stated reason (1): a', ...describeFailures(total.failures), closingLine(total)]
    const read = parseClosingLine(`${lines.join('\n')}\n`)
    expect(addResults({ ...noResults, passed: 1 }, { ...noResults, ...read })).toMatchObject({
      passed: 13,
      failed: 1,
      failures: ['tried: fails: Error: no'],
    })
  })

  it.each(['', 'Killed', '5 passed, 0 failed\nKilled', '5 passed, 0 failed, 2 skipped'])(
    'is not taken from %j',
    (output) => expect(parseClosingLine(output)).toBeNull(),
  )

  it('names what was skipped, by what it needs', () => {
    const tests = [
      { name: 'one', needs: 'root' },
      { name: 'two', needs: undefined },
      { name: 'three', needs: 'root' },
    ]
    expect(describeSkipped(tests)).toEqual([
      'Not run here, for want of root (2): one · three',
      'Skipped without a stated reason (1): two',
    ])
  })
})
