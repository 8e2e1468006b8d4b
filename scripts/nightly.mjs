import { appendFileSync } from 'node:fs'
import { fail } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * `npm run nightly`: runs all checks that a change need not wait for, one after another. Names after `--` select some.
 * Prints a table at the end, also in the summary of the run on GitHub, and exits with 1 if one failed.
 */
const parts = {
  looks: { args: ['run', 'looks'], what: 'every screen at each size and in each scheme' },
  generators: { args: ['run', 'generators'], what: 'clients that generators make from the OpenAPI document' },
  chaos: { args: ['run', 'chaos:short'], what: 'kills, outages, floods, backups, alerts, fairs by the wall clock' },
  unprivileged: { args: ['test', '--', '--unprivileged'], what: 'machine-dependent tests as a plain user' },
  faults: { args: ['run', 'faults'], what: 'seeded faults, each of which a test must notice' },
  seeds: { args: ['test'], env: { TEST_SEED: 'random' }, what: 'all tests with random inputs' },
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
const unknown = names.filter((name) => parts[name] === undefined)
if (unknown.length > 0) fail(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
const rows = []
for (const name of names) {
  const { args, env } = parts[name]
  const startedAt = Date.now()
  const { code } = await run('npm', args, { env: { ...process.env, ...env } })
  rows.push({ name, code, seconds: Math.round((Date.now() - startedAt) / 1000) })
}
const table = [
  '| part | result | seconds | what it runs |',
  '|---|---|---:|---|',
  ...rows.map(
    ({ name, code, seconds }) => `| ${name} | ${code === 0 ? 'passed' : 'FAILED'} | ${seconds} | ${parts[name].what} |`,
  ),
].join('\n')
process.stdout.write(`\n${table}\n`)
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${table}\n`)
process.exit(rows.some(({ code }) => code !== 0) ? 1 : 0)
