import type { Rolldown } from 'vite'

export type Bundle = Rolldown.OutputBundle

const ROUTE = /\/src\/routes\/([^/?]+)\.tsx\?tsr-split=component/

/** The name of the chunk that only a screen needs. Throws where the build has none. */
export function chunkOf(bundle: Bundle, screen: string): string {
  const chunk = Object.values(bundle).find(
    (it) => it.type === 'chunk' && it.facadeModuleId !== null && screenOf(it.facadeModuleId) === screen,
  )
  if (chunk === undefined) throw new Error(`the build has no chunk of its own for ${screen}`)
  return chunk.fileName
}

/** The address of a route's file, as the router writes it; null for what is no screen. */
function screenOf(moduleId: string): string | null {
  const name = ROUTE.exec(moduleId)?.[1]
  return name === undefined ? null : `/${name.replaceAll('.', '/')}`
}

/** A chunk, what it imports, and their style sheets, in the order in which Vite would load them. */
export function filesOf(bundle: Bundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (found.has(name) || chunk?.type !== 'chunk') return found
  found.add(name)
  for (const imported of chunk.imports) filesOf(bundle, imported, found)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet)
  return found
}

/**
 * A style sheet as a part of the page. The link to it stays, switched off: code that comes later finds there that it
 * has been loaded.
 */
export function inlineSheet(bundle: Bundle, name: string, link: string): string {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`the build has no style sheet ${name}`)
  return `<style>${String(sheet.source).trim()}</style>\n    ${link.replace('<link', '<link disabled')}`
}
