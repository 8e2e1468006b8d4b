import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fail, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/** Max time for the tests of one fault, in ms. */
const LIMIT_MS = 240_000

/**
 * `npm run faults`: makes each fault of `faults/` in a copy of the last commit, runs the tests that should notice it, and
 * expects one to fail. Words after `--` choose faults by a part of their area, title or file. `--check` only checks that
 * each fault still fits the sources. Exits with 1 if no test finds a fault, even if the run fails or takes too long.
 *
 * A fault is `{ title, file, from, to, tests, lane, fix }`: in `file`, `from` (which occurs once) becomes `to`; `tests` are
 * test files or folders; `lane` is `nightly` for tests that only run then; `fix` is the commit that fixed a real fault.
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isChosen = ({ area, title, file }) => words.every((word) => `${area} ${title} ${file}`.includes(word))
const faults = (await readFaults()).filter(isChosen)
if (faults.length === 0) fail('No fault matches.')
const problems = faults.flatMap(findProblems)
if (problems.length > 0) fail(problems.join('\n'))
if (process.argv.includes('--check')) process.exit(0)

const queue = [...faults]
await Promise.all(Array.from({ length: Math.min(availableParallelism(), faults.length) }, work))
const rows = [...new Set(faults.map(toRow))].sort().map((row) => {
  const own = faults.filter((fault) => toRow(fault) === row)
  return `| ${row} | ${own.filter(({ unnoticed }) => !unnoticed).length} | ${own.filter(({ unnoticed }) => unnoticed).length} |`
})
process.stdout.write(`\n| lane | area | noticed | unnoticed |\n|---|---|---:|---:|\n${rows.join('\n')}\n`)
process.exit(faults.some(({ unnoticed }) => unnoticed) ? 1 : 0)

function toRow({ lane, area }) {
  return `${lane} | ${area}`
}

/** Returns sentences that say why a fault no longer fits the sources. */
function findProblems({ area, title, file, from, tests }) {
  const places = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split(from).length - 1 : 0
  const missing = tests.filter((test) => !existsSync(join(root, test)))
  return [
    ...(places === 1 ? [] : [`the text to replace occurs ${places} times, not once, in ${file}`]),
    ...missing.map((test) => `there is no test ${test}`),
  ].map((problem) => `${area}: ${title}: ${problem}`)
}

async function readFaults() {
  const areas = globSync('faults/*.mjs', { cwd: root })
    .sort()
    .map(async (path) => {
      const { faults: list } = await import(join(root, path))
      return list.map((fault) => ({
        area: basename(path, '.mjs'),
        // Describe the change here, because mutants have no title.
        title: `${fault.from} becomes ${fault.to}`,
        lane: 'blocking',
        ...fault,
      }))
    })
  return (await Promise.all(areas)).flat()
}

async function work() {
  const cwd = mkdtempSync(join(tmpdir(), 'papermoon-faults-'))
  const git = (...args) => execFileSync('git', ['-C', root, 'worktree', ...args], { stdio: 'ignore' })
  git('add', '--detach', '--force', cwd, 'HEAD')
  process.once('exit', () => {
    rmSync(cwd, { recursive: true, force: true })
    git('prune')
  })
  const install = `node -e "import('./scripts/lib/install.mjs').then(({ install }) => install())"`
  const { code, output } = await run('sh', ['-c', `${install} && npm run build`], { cwd, isQuiet: true })
  if (code !== 0) fail(output)
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    fault.unnoticed = await test(cwd, fault)
    const seen = fault.unnoticed ? `UNNOTICED (${fault.unnoticed})` : 'noticed'
    process.stdout.write(`${seen}  ${fault.lane}  ${fault.area}: ${fault.title}\n`)
  }
}

/** Runs the tests of a fault in the copy `cwd`. Returns null if a test finds the fault, otherwise the reason. */
async function test(cwd, { file, from, to, tests }) {
  const path = join(cwd, file)
  const code = readFileSync(path, 'utf8')
  const results = [...new Set(tests.map(findPackage))].flatMap((folder) =>
    ['vitest.json', 'playwright.json'].map((name) => join(cwd, folder, 'test-results', name)),
  )
  for (const result of results) rmSync(result, { force: true })
  const faulty = code.replace(from, () => to)
  writeFileSync(path, faulty)
  // If the fault prevents an event, a test that waits for this event must fail before the time limit.
  const patience = LIMIT_MS / 2
  // A test that every change runs must find the fault, not one of the nightly run.
  const bail = tests.some((test) => test.endsWith('.spec.ts'))
    ? ['-x', '--grep-invert=@nightly', `--timeout=${patience}`]
    : ['--bail=1', `--testTimeout=${patience}`]
  const options = { cwd, stdio: 'ignore', timeout: LIMIT_MS }
  const ended = await run('node', ['scripts/t.mjs', ...tests, ...bail], options)
  writeFileSync(path, code)
  if (ended.code === 0) return 'all tests passed'
  const failed = results.filter(existsSync).map((result) => {
    const { numFailedTests, stats } = JSON.parse(readFileSync(result, 'utf8'))
    return numFailedTests ?? stats.unexpected
  })
  return failed.some((count) => count > 0) ? null : `failed or took ${LIMIT_MS / 1000} s, but no test failed`
}

/** Returns the folder of the package that a test belongs to. */
function findPackage(test) {
  return test.split('/', test.startsWith('scripts/') ? 1 : 2).join('/')
}
