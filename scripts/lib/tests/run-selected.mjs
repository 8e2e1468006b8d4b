import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, root } from '../project.mjs'
import { parseTestArguments } from './find-tests.mjs'
import { addFailure, clearResults, countResults } from './results.mjs'
import { runFiles } from './run-files.mjs'
import { runTests } from './run-tests.mjs'
import { everything, selectTests } from './test-map.mjs'

/** Runs the tests that the map lists for these paths, and returns `{ passed, failed, skipped }`. */
export async function runTestsFor(paths) {
  const selected = selectTests(paths)
  if (selected.includes(everything)) return await runTests()
  const { groups } = parseTestArguments(selected.filter((path) => existsSync(join(root, path))))
  const packages = groups.map(({ folder }) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
  process.stdout.write(`${paths.length} paths changed: ${selected.join(', ') || 'no tests'}\n`)
  clearResults(packages)
  const codes = []
  for (const group of groups) codes.push(await runFiles(group))
  const total = countResults(packages)
  if (total.failed === 0 && codes.some((code) => code !== 0)) {
    return addFailure(total, 'A test run ended with an error though no test failed.')
  }
  return total
}
