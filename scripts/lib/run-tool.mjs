import { install } from './install.mjs'
import { requireNode } from './node-version.mjs'
import { run } from './run.mjs'

/**
 * Runs a tool of the project with `args` and then our arguments, after installing if needed, and exits with its code.
 */
export async function runTool(command, args) {
  requireNode()
  await install()
  const { code } = await run(command, [...args, ...process.argv.slice(2)])
  process.exit(code)
}
