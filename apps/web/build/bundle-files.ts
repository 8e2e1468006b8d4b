import type { Rolldown } from 'vite'

export type Bundle = Rolldown.OutputBundle

/**
 * Returns the name of the chunk file that begins with a module, such as `/src/routes/token.tsx`. Throws if the build
 * has no such file.
 */
export function findChunk(bundle: Bundle, module: string): string {
  const chunk = Object.values(bundle).find((it) => it.type === 'chunk' && it.facadeModuleId?.endsWith(module))
  if (chunk === undefined) throw new Error(`the build has no chunk of its own for ${module}`)
  return chunk.fileName
}

/** Collects a chunk, its imports and their style sheets in the order in which Vite would load them. */
export function collectFiles(bundle: Bundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (found.has(name) || chunk?.type !== 'chunk') return found
  found.add(name)
  for (const imported of chunk.imports) collectFiles(bundle, imported, found)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet)
  return found
}

export function inlineSheet(bundle: Bundle, name: string, link: string): string {
  const sheet = bundle[name]
  if (sheet?.type !== 'asset') throw new Error(`the build has no style sheet ${name}`)
  return `<style>${String(sheet.source).trim()}</style>\n    ${link.replace('<link', '<link disabled')}`
}
