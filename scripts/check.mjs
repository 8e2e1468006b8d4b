import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { runStaticChecks } from './lib/static-checks.mjs'
import { listChangedPaths } from './lib/tests/changed-paths.mjs'
import { addFailure, addResults, noResults } from './lib/tests/results.mjs'
import { runTestsFor } from './lib/tests/run-selected.mjs'
import { finish, runTests } from './lib/tests/run-tests.mjs'

/**
 * `npm run check`: everything a change must pass. With `-- --changed`, tests are limited to those that
 * scripts/lib/tests/test-map.mjs lists for paths that differ from main (`--since REF`: from another commit). `-- --static`
 * skips the tests.
 */
const { values } = parseArgs({
  options: {
    changed: { type: 'boolean', default: false },
    since: { type: 'string' },
    static: { type: 'boolean', default: false },
  },
})

requireNode()
await install()
const isClean = await runStaticChecks()
const staticFailures = isClean
  ? noResults
  : addFailure(noResults, 'Lint, types, unused code, the size of the first load or the OpenAPI document: see above.')
if (values.static) process.exit(isClean ? 0 : 1)
const isPartial = values.changed || values.since !== undefined
const total = isPartial ? await runTestsFor(listChangedPaths(values.since)) : await runTests()
finish(addResults(total, staticFailures))
