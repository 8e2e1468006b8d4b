import { parseArgs } from 'node:util'
import { listChangedPaths } from './lib/changed-paths.mjs'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { runTestsFor } from './lib/run-selected.mjs'
import { finish, runTests } from './lib/run-tests.mjs'
import { runStaticChecks } from './lib/static-checks.mjs'

/**
 * `npm run check` is what a change must pass. `-- --changed` runs only the tests that scripts/lib/test-map.mjs names for
 * what differs from main, `--since REF` from another commit; `-- --static` leaves the tests out.
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
if (!isClean) process.stderr.write('Failed: lint, types, unused code or the size of the first load; see above.\n')
if (values.static) process.exit(isClean ? 0 : 1)
const isPartial = values.changed || values.since !== undefined
const total = isPartial ? await runTestsFor(listChangedPaths(values.since)) : await runTests()
finish({ ...total, failed: total.failed + (isClean ? 0 : 1) })
