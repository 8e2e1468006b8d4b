import { run } from './run.mjs'

/** Import boundaries are lint rules: see the overrides in biome.json. */
const tasks = ['lint:code', 'lint:unused', 'types', 'size']

/** Lint, unused code, types and the size of the first load; shows what fails and returns whether nothing did. */
export async function runStaticChecks() {
  const { code } = await run('turbo', ['run', ...tasks, '--continue=always', '--output-logs=errors-only'])
  return code === 0
}
