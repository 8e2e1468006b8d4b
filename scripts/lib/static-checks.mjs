import { run } from './run.mjs'

/** Import boundaries are lint rules, see the overrides in biome.json. */
const tasks = ['lint:code', 'lint:unused', 'types', 'size', 'lint:openapi']

/**
 * Runs lint, unused code, types, the size limit of the first load and the linters of the OpenAPI document, and checks that
 * each seeded fault still fits the sources. Prints failures and returns whether there were none.
 */
export async function runStaticChecks() {
  const faults = await run('node', ['scripts/faults.mjs', '--check'])
  const { code } = await run('turbo', ['run', ...tasks, '--continue=always', '--output-logs=errors-only'])
  return code === 0 && faults.code === 0
}
