import { CHAPTERS, readGuide } from '@papermoon/guide'
import type { Plugin } from 'vite'

const NAME = 'virtual:guide'
const RESOLVED = `\0${NAME}`

/** Serves the guide of packages/guide, parsed and coloured, as the module `virtual:guide`. */
export function guide(): Plugin {
  return {
    name: 'guide',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null
      const folder = new URL('../chapters/', import.meta.resolve('@papermoon/guide'))
      for (const chapter of CHAPTERS) this.addWatchFile(new URL(`${chapter}.md`, folder).pathname)
      // As text: an object of this size is parsed faster from a string.
      return `export const chapters = JSON.parse(${JSON.stringify(JSON.stringify(readGuide()))})`
    },
  }
}
