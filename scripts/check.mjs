import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { run } from './lib/run.mjs'
import { finish, runTests } from './lib/run-tests.mjs'

/** Import boundaries are lint rules: see the overrides in biome.json. */
const steps = [
  { name: 'Format, lint and import boundaries', command: 'biome', args: ['ci', '--error-on-warnings', '.'] },
  { name: 'Unused code and dependencies', command: 'knip', args: [] },
  { name: 'Types', command: 'turbo', args: ['run', 'types', '--continue=always', '--output-logs=errors-only'] },
  { name: 'Size of the first load', command: 'turbo', args: ['run', 'size', '--output-logs=new-only'] },
]

requireNode()
await install()
const broken = []
for (const { name, command, args } of steps) {
  process.stdout.write(`\n— ${name}\n`)
  const { code } = await run(command, args)
  if (code !== 0) broken.push(name)
}
process.stdout.write('\n— Tests\n')
const total = await runTests()
for (const name of broken) process.stderr.write(`Failed: ${name}\n`)
finish({ ...total, failed: total.failed + broken.length })
