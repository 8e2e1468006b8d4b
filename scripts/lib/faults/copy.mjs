import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root, workspacePackages } from '../project.mjs'
import { run } from '../run.mjs'
import { clearResults, countResults } from '../tests/results.mjs'

/** Longer than the slowest test file takes on a loaded machine. */
const timeoutMs = 8 * 60_000

/** A copy of the last commit, installed, in a temporary folder. `remove` deletes it; so does the end of this process. */
export async function makeCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-faults-'))
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' })
  git('worktree', 'add', '--detach', '--force', folder, 'HEAD')
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  }
  process.once('exit', remove)
  const { code, output } = await run('node', ['scripts/build.mjs'], { cwd: folder, isQuiet: true, timeoutMs })
  if (code !== 0) fail(output)
  return { folder, findFailure: (tests) => findFailure(folder, tests), remove }
}

/** Runs test files in the copy until one fails. Returns the first failure as a sentence, or null if all tests passed. */
async function findFailure(folder, tests) {
  const packages = workspacePackages()
    .map((it) => ({ ...it, folder: it.folder.replace(root, `${folder}/`) }))
    .filter((it) => tests.some((test) => join(folder, test).startsWith(`${it.folder}/`)))
  clearResults(packages)
  const isBrowser = tests.some((test) => test.endsWith('.spec.ts'))
  const bail = isBrowser ? '-x' : '--bail=1'
  const { code, isLate } = await run('node', ['scripts/t.mjs', ...tests, bail], {
    cwd: folder,
    isQuiet: true,
    timeoutMs,
  })
  if (isLate) return 'The tests did not end.'
  if (code === 0) return null
  const { failures } = countResults(packages)
  return failures[0] ?? `The tests ended with exit code ${code}.`
}
