import type { Plugin } from 'vite'

/**
 * Keeps everything that the first screen needs in one file. Left to itself the bundler cuts off each piece that a later
 * screen shares, and every file more is a request more before the first paint.
 */
export function oneFirstChunk(): { plugin: Plugin; isFirst: (id: string) => boolean } {
  const first = new Set<string>()
  const plugin: Plugin = {
    name: 'one-first-chunk',
    apply: 'build',
    buildEnd() {
      const waiting = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (first.has(id)) continue
        // Mantine comes as one barrel that names all of it: only the bundler knows what of it is used where.
        if (id.includes('/@mantine/')) continue
        first.add(id)
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    },
  }
  return { plugin, isFirst: (id) => first.has(id) }
}
