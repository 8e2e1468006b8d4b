import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { finish, runTests } from './lib/run-tests.mjs'
import { runStaticChecks } from './lib/static-checks.mjs'

/** `npm run check` is what a change must pass; `-- --static` leaves the tests out. */
const { values } = parseArgs({ options: { static: { type: 'boolean', default: false } } })

requireNode()
await install()
const isClean = await runStaticChecks()
if (!isClean) process.stderr.write('Failed: lint, types, unused code or the size of the first load; see above.\n')
if (values.static) process.exit(isClean ? 0 : 1)
const total = await runTests()
finish({ ...total, failed: total.failed + (isClean ? 0 : 1) })
