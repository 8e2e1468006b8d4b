import { contract } from '@papermoon/contract'
import { isPublic, type Procedure } from '@papermoon/contract/procedure'
import { CHAPTERS, readGuide } from '@papermoon/guide'
import type { Plugin } from 'vite'
import { writeMantineVariables } from '../src/mantine-variables.ts'

/** Modules that the build generates, with ids that begin with `virtual:`. */
const MODULES: Readonly<Record<string, () => string>> = {
  'virtual:mantine-variables.css': writeMantineVariables,
  // Export the guide as text, because browsers parse a large object faster from a string.
  'virtual:guide': () => `export const chapters = JSON.parse(${JSON.stringify(JSON.stringify(readGuide()))})`,
}

/**
 * Serves what the app takes from other sources: Mantine's variables, the guide parsed and coloured, and
 * `PUBLIC_QUERIES`, a pattern for the paths of queries that return the same response to everyone, such as `tokens,get`.
 */
export function generated(): Plugin {
  return {
    name: 'generated',
    config: () => ({ define: { PUBLIC_QUERIES: JSON.stringify(writePattern()) } }),
    resolveId: (id) => (id in MODULES ? `\0${id}` : null),
    load(id) {
      if (id === '\0virtual:guide') {
        const folder = new URL('../chapters/', import.meta.resolve('@papermoon/guide'))
        for (const chapter of CHAPTERS) this.addWatchFile(new URL(`${chapter}.md`, folder).pathname)
      }
      return MODULES[id.slice(1)]?.() ?? null
    },
  }
}

/**
 * Returns a short pattern, because the first script on every page contains it. The contract's schemas would be too long
 * for that script.
 */
function writePattern(): string {
  const features = Object.entries(contract).map(([feature, procedures]) => {
    const queries = Object.entries<Procedure>(procedures).filter(([, { type }]) => type === 'query')
    const hidden = queries.filter(([, query]) => !isPublic(query)).map(([name]) => name)
    return { feature, hidden, hasPublic: hidden.length < queries.length }
  })
  const mixed = features.filter(({ hidden, hasPublic }) => hasPublic && hidden.length > 0)
  const open = features.filter(({ hidden, hasPublic }) => hasPublic && hidden.length === 0)
  return `^((${open.map(({ feature }) => feature).join('|')}),|${mixed
    .map(({ feature, hidden }) => `${feature},(?!${hidden.join('|')})`)
    .join('|')})`
}
