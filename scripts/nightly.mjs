import { appendFileSync } from 'node:fs'
import { fail } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * `npm run nightly`: runs the checks that are too slow for every change, one part after another. Names after `--`
 * choose parts. Prints a table at the end, also in GitHub's summary of the run, and exits with 1 if a part failed.
 */
const parts = {
  looks: ['npm run looks', 'every screen at each size and in each scheme'],
  generators: ['npm run generators', 'clients that generators make from the OpenAPI document'],
  chaos: ['npm run chaos:short', 'kills, outages, backups, fairs by the wall clock'],
  worlds: ['env WORLDS=200 npm run t -- test/simulation', 'random worlds of two nodes whose connections break'],
  exploit: [
    'env EXPLOIT_DAYS=20 npm run t -- packages/bots/test/exploit',
    'whole days of tricks against the house bots',
  ],
  unprivileged: ['scripts/as-plain-user.sh npm test -- --except @papermoon/e2e', 'the tests as a plain user'],
  faults: ['npm run faults', 'seeded faults, each of which a test must notice'],
  seeds: ['env TEST_SEED=random npm test', 'all tests with random inputs'],
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
const unknown = names.filter((name) => parts[name] === undefined)
if (unknown.length > 0) fail(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
const rows = ['| part | result | seconds | what it runs |', '|---|---|---:|---|']
let failed = 0
for (const name of names) {
  const [commandLine, what] = parts[name]
  const [command, ...args] = commandLine.split(' ')
  const startedAt = Date.now()
  const { code } = await run(command, args)
  failed += code === 0 ? 0 : 1
  rows.push(
    `| ${name} | ${code === 0 ? 'passed' : 'FAILED'} | ${Math.round((Date.now() - startedAt) / 1000)} | ${what} |`,
  )
}
const table = `${rows.join('\n')}\n`
process.stdout.write(`\n${table}`)
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, table)
process.exit(failed > 0 ? 1 : 0)
