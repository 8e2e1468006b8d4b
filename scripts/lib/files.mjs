import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const skipped = /(^|\/)(node_modules|dist|test-results|\.turbo|\.data)\//

/** Lists all files below `folder` as sorted relative paths, except installed and generated files. */
export function listFilesBelow(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)))
  return paths.filter((path) => !skipped.test(path)).sort()
}
