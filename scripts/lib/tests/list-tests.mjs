import { join, relative, resolve } from 'node:path'
import { listFilesBelow } from '../files.mjs'
import { fail, root, workspacePackages } from '../project.mjs'

const testFile = /^(test\/.+\.test\.(ts|tsx|mjs)|tests\/.+\.spec\.ts)$/

/**
 * Lists the test files that `words` name, as `[{ folder, files }]`, one group per package. A word is the path of a file
 * or folder, relative to the current folder or the root, or a part of a path. Exits if a word names no file.
 */
export function listTests(words, pattern = testFile) {
  const packages = workspacePackages().map(({ folder }) => {
    const files = listFilesBelow(folder).filter((file) => pattern.test(file))
    return { folder, tests: files.map((file) => ({ file, path: join(folder, file) })) }
  })
  const named = new Set(
    words.flatMap((word) =>
      findTests(
        word,
        packages.flatMap(({ tests }) => tests),
      ),
    ),
  )
  return packages
    .map(({ folder, tests }) => ({ folder, files: tests.filter((test) => named.has(test)).map(({ file }) => file) }))
    .filter(({ files }) => files.length > 0)
}

function findTests(word, tests) {
  for (const base of [process.env.INIT_CWD ?? root, root]) {
    const place = resolve(base, word)
    const below = tests.filter(({ path }) => path === place || path.startsWith(`${place.replace(/\/$/, '')}/`))
    if (below.length > 0) return below
  }
  const partly = tests.filter(({ path }) => relative(root, path).includes(word))
  return partly.length > 0 ? partly : fail(`No test file matches ${word}.`)
}
