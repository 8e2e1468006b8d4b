import type { Rolldown } from 'vite'

export type Bundle = Rolldown.OutputBundle

const ROUTE = /\/src\/routes\/([^/?]+)\.tsx\?tsr-split=component/

/** The file name of a screen's own chunk. Throws when the build has none. */
export function findChunk(bundle: Bundle, screen: string): string {
  const chunk = Object.values(bundle).find(
    (it) => it.type === 'chunk' && it.facadeModuleId !== null && toScreenPath(it.facadeModuleId) === screen,
  )
  if (chunk === undefined) throw new Error(`the build has no chunk of its own for ${screen}`)
  return chunk.fileName
}

/** The route path of a route's module, as the router writes it; null for any other module. */
function toScreenPath(moduleId: string): string | null {
  const name = ROUTE.exec(moduleId)?.[1]
  return name === undefined ? null : `/${name.replaceAll('.', '/')}`
}

/** Collects a chunk, its imports and their style sheets, in the order in which Vite would load them. */
export function collectFiles(bundle: Bundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (found.has(name) || chunk?.type !== 'chunk') return found
  found.add(name)
  for (const imported of chunk.imports) collectFiles(bundle, imported, found)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet)
  return found
}

/**
 * Inlines a style sheet into the page. Keeps its `<link>`, disabled, because Vite's loader skips sheets that the page
 * already links.
 */
export function inlineSheet(bundle: Bundle, name: string, link: string): string {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`the build has no style sheet ${name}`)
  return `<style>${String(sheet.source).trim()}</style>\n    ${link.replace('<link', '<link disabled')}`
}
