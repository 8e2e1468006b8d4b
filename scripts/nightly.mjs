import { fail } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * `npm run nightly`: runs the checks that are too slow for every change, one part after another. Names after `--`
 * choose parts. Ends with the names of the parts that failed, and exits with 1 if there are any.
 */
const parts = {
  looks: 'npm run looks',
  walks: 'npm run t -- apps/e2e/tests --grep=@nightly',
  slow: 'npm run t -- apps/api/test packages/bots/test packages/client/test packages/db/test scripts/test --tagsFilter=nightly',
  generators: 'npm run generators',
  chaos: 'npm run chaos:short',
  worlds: 'env WORLDS=200 npm run t -- test/simulation',
  exploit: 'env EXPLOIT_DAYS=20 npm run t -- packages/bots/test/exploit',
  unprivileged: 'scripts/as-plain-user.sh npm test -- --except @papermoon/e2e',
  faults: 'npm run faults',
  seeds: 'env TEST_SEED=random npm test',
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
const failed = []
for (const name of names) {
  const line = parts[name] ?? fail(`There is no part ${name}; there are ${Object.keys(parts).join(', ')}.`)
  const [command, ...args] = line.split(' ')
  if ((await run(command, args)).code !== 0) failed.push(name)
}
if (failed.length > 0) fail(`Failed: ${failed.join(', ')}`)
