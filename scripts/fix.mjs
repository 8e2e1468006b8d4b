import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/project.mjs'
import { runTool } from './lib/run-tool.mjs'
import { listChangedPaths } from './lib/tests/changed-paths.mjs'

/** Formats the files that differ from `main`, or the given ones (`-- .` for all), and applies safe lint fixes. */
const isGiven = process.argv.length > 2
const changed = isGiven ? [] : listChangedPaths().filter((path) => existsSync(join(root, path)))
if (!isGiven && changed.length === 0) process.exit(0)
// This configuration omits the rule that reads every file and fixes nothing.
const config = '--config-path=scripts/lib/fix.biome.json'
const quiet = ['--no-errors-on-unmatched', '--files-ignore-unknown=true']
await runTool('biome', ['check', '--write', config, ...quiet, ...changed])
