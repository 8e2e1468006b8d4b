import { readdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../project.mjs'

/** Fills `folder` with links to all programs on our PATH, except those whose name matches `hidden`. */
export function linkProgramsExcept(hidden, folder, path = process.env.PATH ?? '') {
  const seen = new Set()
  for (const from of path.split(delimiter).filter((entry) => entry !== '' && !entry.startsWith(root))) {
    for (const name of listFolder(from)) {
      if (seen.has(name) || hidden.test(name)) continue
      seen.add(name)
      symlinkSync(join(from, name), join(folder, name))
    }
  }
}

function listFolder(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return [] // PATH may name folders that do not exist.
  }
}
