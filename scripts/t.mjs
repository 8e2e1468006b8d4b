import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { fail } from './lib/project.mjs'
import { parseTestArguments } from './lib/tests/find-tests.mjs'
import { runFiles } from './lib/tests/run-files.mjs'

const usage =
  'npm run t -- FILE…   a test file, a folder, or a part of their paths; options after it are the runner’s own'

/** Runs test files of any package: `npm run t -- apps/api/test/config/config.test.ts -t 'a title'`. */
requireNode()
const { groups, options, unknown } = parseTestArguments(process.argv.slice(2), { cwd: process.env.INIT_CWD })
if (unknown.length > 0) fail(`No test file matches ${unknown.join(', ')}.\n${usage}`)
if (groups.length === 0) fail(usage)
await install()
const codes = []
for (const group of groups) codes.push(await runFiles(group, { options }))
process.exit(Math.max(...codes))
