import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { runMachineTests } from './lib/machine-tests.mjs'
import { requireNode } from './lib/node-version.mjs'
import { finish, runTests } from './lib/run-tests.mjs'

/** `npm test` runs all tests, `npm test -- --machine` those that depend on the machine and the user. */
const { values } = parseArgs({ options: { machine: { type: 'boolean', default: false } } })

requireNode()
await install()
finish(values.machine ? await runMachineTests() : await runTests())
