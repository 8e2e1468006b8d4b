import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { fail, workspacePackages } from './lib/project.mjs'
import { runMachineTests } from './lib/tests/machine-tests.mjs'
import { finish, runTests } from './lib/tests/run-tests.mjs'
import { runUnprivileged } from './lib/tests/unprivileged.mjs'

/**
 * `npm test` runs all tests. `-- --package NAME` and `-- --except NAME` select packages and can be repeated. `-- --machine`
 * runs tests that depend on the machine and the user, `-- --unprivileged` the same without privileges.
 */
const { values } = parseArgs({
  options: {
    machine: { type: 'boolean', default: false },
    unprivileged: { type: 'boolean', default: false },
    package: { type: 'string', multiple: true, default: [] },
    except: { type: 'string', multiple: true, default: [] },
  },
})

requireNode()
const names = workspacePackages().map(({ manifest }) => manifest.name)
const unknown = [...values.package, ...values.except].filter((name) => !names.includes(name))
if (unknown.length > 0) fail(`There is no package ${unknown.join(', ')}; there are ${names.join(', ')}.`)
await install()
finish(await runWanted())

async function runWanted() {
  if (values.machine) return await runMachineTests()
  if (values.unprivileged) return await runUnprivileged()
  const { package: only, except } = values
  const isWanted = (name) => (only.length === 0 || only.includes(name)) && !except.includes(name)
  return await runTests({ isWanted })
}
