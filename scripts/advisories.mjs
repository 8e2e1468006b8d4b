import { findSerious } from './lib/advisories.mjs'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { run } from './lib/run.mjs'

const timeoutMs = 60_000

/** Checks every dependency for known vulnerabilities in the registry; fails for high and critical ones. */
requireNode()
await install()
const { output } = await run('pnpm', ['audit', '--json'], { isQuiet: true, timeoutMs })
const serious = findSerious(output)
if (serious === null) process.stdout.write('No source of advisories answers here: the dependencies were not audited.\n')
else if (serious.length === 0) process.stdout.write('No dependency has a known weakness that is high or critical.\n')
else process.stdout.write(`${serious.map((line) => `Weak dependency: ${line}`).join('\n')}\n`)
process.exit(serious?.length > 0 ? 1 : 0)
