import type { Plugin } from 'vite'

/** The bundler's own few lines, which every file needs. */
const RUNTIME = 'rolldown/runtime'
const REACT = /\/node_modules\/(react|react-dom|scheduler)\//

interface Group {
  readonly name: string
  readonly test: (id: string) => boolean
}

/**
 * Keeps everything that the first screen needs in three files: React, the other libraries, and the app. Left to itself
 * the bundler cuts off each piece that a later screen shares, and every file more is a request more. In one file,
 * evaluating it would be one long task.
 */
export function firstChunks(): { plugin: Plugin; groups: Group[] } {
  const first = new Set<string>()
  const plugin: Plugin = {
    name: 'first-chunks',
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
  const isFirst = (id: string) => first.has(id)
  return {
    plugin,
    groups: [
      { name: 'react', test: (id) => id.includes(RUNTIME) || (isFirst(id) && REACT.test(id)) },
      { name: 'libraries', test: (id) => isFirst(id) && id.includes('/node_modules/') },
      { name: 'first', test: isFirst },
    ],
  }
}
