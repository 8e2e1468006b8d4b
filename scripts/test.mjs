import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { workspacePackages } from './lib/project.mjs'
import { run } from './lib/run.mjs'
import { runTests } from './lib/tests/run-tests.mjs'

/**
 * `npm test` runs all tests. `npm run check` runs the static checks first, and `npm run check -- --static` runs only
 * these.
 */
const names = { type: 'string', multiple: true, default: [] }
const { values } = parseArgs({
  options: { check: { type: 'boolean' }, static: { type: 'boolean' }, package: names, except: names },
})
const packages = workspacePackages().filter(({ manifest }) => manifest.scripts?.test)
await install()
const failures = []
if (values.check) {
  for (const args of [['faults', '--check'], ['static']]) {
    const { code } = await run('node', ['scripts/tool.mjs', ...args])
    if (code !== 0) failures.push(`${args.join(' ')}: see above.`)
  }
}
if (values.static) process.exit(failures.length)
const wanted = packages.filter(
  ({ manifest: { name } }) =>
    (values.package.length === 0 || values.package.includes(name)) && !values.except.includes(name),
)
process.exit(await runTests(wanted, failures))
