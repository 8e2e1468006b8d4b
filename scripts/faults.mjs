import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fail, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * `npm run faults`: makes each fault of `faults/` in a copy of the last commit, runs the tests that should notice it, and
 * expects one to fail. Words after `--` choose faults by a part of their area, title or file; `--check` only checks that each fault still fits the sources. Exits
 * with 1 where a fault went unnoticed.
 *
 * A fault is `{ title, file, from, to, tests, lane, fix }`: in `file`, `from` (which occurs once) becomes `to`; `tests` are test
 * files or folders; `lane` is `nightly` for tests that only run then; `fix` is the commit that fixed a real fault.
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isChosen = ({ area, title, file }) => words.every((word) => `${area} ${title} ${file}`.includes(word))
const faults = (await readFaults()).filter(isChosen)
if (faults.length === 0) fail('No fault matches.')
const problems = faults.flatMap(findProblems)
if (problems.length > 0) fail(problems.join('\n'))
if (process.argv.includes('--check')) process.exit(0)

const queue = [...faults]
const missed = []
await Promise.all(Array.from({ length: Math.min(availableParallelism(), faults.length) }, work))
process.stdout.write(`${faults.length - missed.length} passed, ${missed.length} failed\n`)
process.exit(missed.length > 0 ? 1 : 0)

/** Why a fault no longer fits the sources, as sentences. */
function findProblems({ area, title, file, from, to, tests }) {
  const places = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split(from).length - 1 : 0
  const missing = tests.filter((test) => !existsSync(join(root, test)))
  return [
    ...(places === 1 ? [] : [`the text to replace occurs ${places} times, not once, in ${file}`]),
    ...(from === to ? ['it changes nothing'] : []),
    ...(tests.length === 0 ? ['it names no test'] : []),
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
        // Mutants have no title.
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
  const built = await run('node', ['scripts/build.mjs'], { cwd, isQuiet: true })
  if (built.code !== 0) fail(built.output)
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    const path = join(cwd, fault.file)
    const code = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      code.replace(fault.from, () => fault.to),
    )
    const bail = fault.tests.some((test) => test.endsWith('.spec.ts')) ? '-x' : '--bail=1'
    const tests = await run('node', ['scripts/t.mjs', ...fault.tests, bail], { cwd, isQuiet: true })
    writeFileSync(path, code)
    if (tests.code === 0) missed.push(fault)
    process.stdout.write(
      `${tests.code === 0 ? 'UNNOTICED' : 'noticed'}  ${fault.lane}  ${fault.area}: ${fault.title}\n`,
    )
  }
}
