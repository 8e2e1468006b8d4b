import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { addResults } from './lib/tests/results.mjs'
import { finish, runTests } from './lib/tests/run-tests.mjs'
import { runUnprivileged } from './lib/tests/unprivileged.mjs'

/** Runs all tests, then the machine-dependent ones without privileges. The closing line adds up both runs. */
requireNode()
await install()
const here = await runTests()
const unprivileged = await runUnprivileged()
finish(addResults(here, unprivileged))
