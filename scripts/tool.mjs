import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode } from './lib/node-version.mjs'
import { prepareBrowserTests } from './lib/programs.mjs'
import { environment, fail, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * `npm run NAME -- ARGUMENTS`: installs if needed, runs one of these tools with the arguments, and exits with its code.
 */
const turbo = (...tasks) => ['turbo', 'run', ...tasks, '--continue=always', '--output-logs=errors-only']
const node = (...args) => [productNode(), ...args]
const screens = (config) => node('apps/e2e/node_modules/@playwright/test/cli.js', 'test', '-c', `apps/e2e/${config}`)
const tools = {
  lint: turbo('lint:code', 'lint:imports', 'lint:unused'),
  types: turbo('types'),
  static: turbo('lint:code', 'lint:imports', 'lint:unused', 'types', 'size', 'lint:openapi'),
  fix: [
    'biome',
    'check',
    '--write',
    '--config-path=scripts/lib/fix.biome.json',
    '--no-errors-on-unmatched',
    '--files-ignore-unknown=true',
  ],
  examples: ['turbo', 'run', 'examples', '--output-logs=new-only'],
  generators: ['turbo', 'run', 'generators', '--output-logs=new-only'],
  bots: node('packages/bots/src/load/main.ts'),
  // Allow much memory, because creating a market with ten million trades needs it.
  bench: node('--max-old-space-size=6144', '--max-semi-space-size=64', 'apps/bench/src/main.ts'),
  pack: ['pnpm', '--fail-if-no-match', 'pack', '--pack-destination', process.env.PACK_DESTINATION ?? root, '--filter'],
  diagram: node('packages/db/test/diagram/write-diagram.ts'),
  faults: node('scripts/faults.mjs'),
  looks: screens('looks.config.ts'),
  shots: screens('shots.config.ts'),
  sbom: `pnpm sbom --sbom-format cyclonedx --sbom-type application --lockfile-only --out bom.json`.split(' '),
  // A registry without advisories does not count as a failure.
  advisories: ['pnpm', 'audit', '--audit-level=high', '--ignore-registry-errors'],
}

const [name, ...given] = process.argv.slice(2)
const [command, ...args] = tools[name] ?? fail(`There is no ${name}; there are ${Object.keys(tools).join(', ')}.`)
await install()
const env = name === 'looks' || name === 'shots' ? await prepareBrowserTests() : environment
const words = name === 'fix' && given.length === 0 ? listChanged() : given
process.exit((await run(command, [...args, ...words], { env })).code)

/** Lists the files that differ from `main`, including new files. */
function listChanged() {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = git('diff', '--name-only', '--diff-filter=d', '--merge-base', 'main')
  return [...changed, ...git('ls-files', '--others', '--exclude-standard')].map((path) => join(root, path))
}
