import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { makeCopy } from './lib/faults/copy.mjs'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { fail, root } from './lib/project.mjs'

/**
 * `npm run faults`: inserts each fault of `faults/` into a copy of the repository, runs the tests that should notice it,
 * and expects one to fail. Words after `--` select faults by part of their area, title or file. Exits with 1 if a fault was
 * not noticed. A fault is `{ title, file, from, to, tests, lane, fix }`. In `file`, it replaces `from`, which occurs once, by
 * `to`. `tests` are test files or folders; `lane` is `nightly` for tests that only run then; `fix` is the commit that fixed
 * a real fault. `--check` only checks that each fault still fits the sources and that its tests exist.
 */
requireNode()
await install()
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isCheckOnly = process.argv.includes('--check')
const faults = (await readFaults()).filter(({ area, title, file }) =>
  words.every((word) => `${area} ${title} ${file}`.includes(word)),
)
if (faults.length === 0) fail('No fault matches.')
const problems = faults.flatMap(findProblems)
for (const problem of problems) process.stdout.write(`${problem}\n`)
if (problems.length > 0 || isCheckOnly) process.exit(problems.length > 0 ? 1 : 0)

const queue = [...faults]
const results = []
await Promise.all(Array.from({ length: Math.min(availableParallelism(), faults.length) }, work))
const missed = results.filter(({ failure }) => failure === null)
process.stdout.write(`\n${describeByLane()}\n`)
for (const { fault } of missed) process.stdout.write(`Unnoticed: ${fault.area}: ${fault.title} (${fault.file})\n`)
process.stdout.write(`${results.length - missed.length} passed, ${missed.length} failed\n`)
process.exit(missed.length > 0 ? 1 : 0)

/** Why a fault no longer fits the sources, as sentences. */
function findProblems({ area, title, file, from, to, tests }) {
  const path = join(root, file)
  const places = existsSync(path) ? readFileSync(path, 'utf8').split(from).length - 1 : 0
  const missing = tests.filter((test) => !existsSync(join(root, test)))
  return [
    ...(places === 1 ? [] : [`the text to replace occurs ${places} times, not once, in ${file}`]),
    ...(from === to ? ['it changes nothing'] : []),
    ...(tests.length === 0 ? ['it names no test'] : []),
    ...missing.map((test) => `there is no test ${test}`),
  ].map((problem) => `${area}: ${title}: ${problem}`)
}

async function readFaults() {
  const folder = join(root, 'faults')
  const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  const areas = names.sort().map(async (name) => {
    const { faults: list } = await import(join(folder, name))
    return list.map((fault) => ({ area: name.replace('.mjs', ''), title: toTitle(fault), lane: 'blocking', ...fault }))
  })
  return (await Promise.all(areas)).flat()
}

/** Mutants have no title. */
function toTitle({ from, to }) {
  return `${from} becomes ${to}`
}

async function work() {
  const copy = await makeCopy()
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    const path = join(copy.folder, fault.file)
    const code = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      code.replace(fault.from, () => fault.to),
    )
    const failure = await copy.findFailure(fault.tests)
    writeFileSync(path, code)
    results.push({ fault, failure })
    process.stdout.write(`${failure === null ? 'UNNOTICED' : 'noticed'}  ${fault.area}: ${fault.title}\n`)
    if (failure !== null) process.stdout.write(`           ${failure.slice(0, 150)}\n`)
  }
  copy.remove()
}

function describeByLane() {
  const lanes = [...new Set(results.map(({ fault }) => fault.lane))]
  return lanes
    .map((lane) => {
      const all = results.filter(({ fault }) => fault.lane === lane)
      return `${lane}: ${all.filter(({ failure }) => failure !== null).length} of ${all.length} noticed`
    })
    .join(', ')
}
