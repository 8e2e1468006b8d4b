import { join, relative, resolve } from 'node:path'
import { listFilesBelow } from '../files.mjs'
import { root, workspacePackages } from '../project.mjs'

const testFile = /^(test\/.+\.test\.(ts|tsx|mjs)|tests\/.+\.spec\.ts)$/
const chaosFile = /^test\/.+\.chaos\.ts$/

/** Every test file of the repository as `{ folder, file }`, where `file` is relative to the package's `folder`. */
export function listTests(pattern = testFile) {
  return workspacePackages().flatMap(({ folder }) =>
    listFilesBelow(folder)
      .filter((file) => pattern.test(file))
      .map((file) => ({ folder, file })),
  )
}

/** Chaos tests as `[{ folder, files }]`, a group per package: those whose path contains one of `words`, or all. */
export function listChaosTests(words) {
  const isWanted = (path) => words.length === 0 || words.some((word) => path.includes(word))
  return groupByFolder(listTests(chaosFile).filter(({ folder, file }) => isWanted(relative(root, join(folder, file)))))
}

/**
 * Splits the arguments of `npm run t` into test files and options for the runner, which begin at the first dash. A word
 * is a path (of a test file or a folder, from `cwd`) or any part of a test file's path. Returns `{ groups, options,
 * unknown }`: a group `{ folder, files }` per package, and the words that match no test.
 */
export function parseTestArguments(args, { cwd = root, tests = listTests() } = {}) {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'))
  const words = firstOption === -1 ? args : args.slice(0, firstOption)
  const options = firstOption === -1 ? [] : args.slice(firstOption)
  const matches = words.map((word) => findMatches(word, cwd, tests))
  return {
    groups: groupByFolder(new Set(matches.flat())),
    options,
    unknown: words.filter((_, i) => matches[i].length === 0),
  }
}

/** A path has precedence over part of other paths: `text.test.ts` in the current folder selects that file only. */
function findMatches(word, cwd, tests) {
  for (const base of [cwd, root]) {
    const path = resolve(base, word)
    const below = tests.filter(({ folder, file }) => isAtOrBelow(join(folder, file), path))
    if (below.length > 0) return below
  }
  return tests.filter(({ folder, file }) => relative(root, join(folder, file)).includes(word))
}

function isAtOrBelow(file, path) {
  return file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function groupByFolder(tests) {
  const groups = new Map()
  for (const { folder, file } of tests) groups.set(folder, [...(groups.get(folder) ?? []), file])
  return [...groups].map(([folder, files]) => ({ folder, files }))
}
