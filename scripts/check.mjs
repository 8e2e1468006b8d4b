import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { runStaticChecks } from './lib/static-checks.mjs'
import { addFailure, addResults, noResults } from './lib/tests/results.mjs'
import { finish, runTests } from './lib/tests/run-tests.mjs'

/** `npm run check`: all checks that a change must pass. `-- --static` skips the tests. */
const { values } = parseArgs({ options: { static: { type: 'boolean', default: false } } })

requireNode()
await install()
const isClean = await runStaticChecks()
const staticFailures = isClean
  ? noResults
  : addFailure(
      noResults,
      'Lint, types, unused code, the size of the first load, the OpenAPI document or a seeded fault: see above.',
    )
if (values.static) process.exit(isClean ? 0 : 1)
finish(addResults(await runTests(), staticFailures))
