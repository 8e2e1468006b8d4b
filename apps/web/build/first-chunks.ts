import type { Plugin } from 'vite'

/** The bundler's helper module, which every chunk imports. */
const RUNTIME = 'rolldown/runtime'
/**
 * The module that initializes React. The bundler wraps each React module in a function, which the first importer calls.
 */
const INIT_REACT = '/src/lib/boot/init-react.ts'
const REACT = /\/node_modules\/(react|react-dom|scheduler)\//
const TRPC_ENTRY = /\/@trpc\/client\/dist\/index\.mjs$/
const SOCKET_IMPORT = /^import \{([^}]+)\} from "\.\/wsLink-[^"]+";$/m

interface Group {
  readonly name: string
  readonly test: (id: string) => boolean
}

/**
 * Groups everything that the first screen needs into four files: React, its initialization, other libraries, and the
 * app. By default, the bundler separates every module that a later screen also uses, so each module costs a request. A
 * single file would run as one long task. Throws if React is not initialized in its own file.
 */
export function firstChunks(): { plugin: Plugin; groups: Group[] } {
  const first = new Set<string>()
  const plugin: Plugin = {
    name: 'first-chunks',
    apply: 'build',
    transform: { filter: { id: TRPC_ENTRY }, handler: (code) => ({ code: leaveOutSocket(code), map: null }) },
    buildEnd() {
      const waiting = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (first.has(id)) continue
        // The app imports these parts through barrel files. Only the bundler knows where each part is used.
        if (id.includes('/@mantine/') || id.endsWith('/format/src/gains.ts')) continue
        first.add(id)
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    },
    generateBundle(_, bundle) {
      const names = Object.values(bundle).map(({ name }) => name)
      if (!names.includes('init-react')) throw new Error('React is not initialized in a file of its own')
    },
  }
  const isFirst = (id: string) => first.has(id)
  return {
    plugin,
    groups: [
      { name: 'react', test: (id) => id.includes(RUNTIME) || (isFirst(id) && REACT.test(id)) },
      { name: 'init-react', test: (id) => id.endsWith(INIT_REACT) },
      { name: 'libraries', test: (id) => isFirst(id) && id.includes('/node_modules/') },
      { name: 'first', test: isFirst },
    ],
  }
}

/**
 * Removes the WebSocket link from tRPC's entry file. Without this plugin, the bundler would put the link into the first
 * chunk. `@papermoon/client/live` imports `@trpc/client/links/wsLink/wsLink` directly.
 */
function leaveOutSocket(code: string): string {
  const leftOut = code.replace(SOCKET_IMPORT, (_, names: string) => {
    const locals = names.split(',').map((name) => name.trim().split(' as ').at(-1))
    return `const ${locals.map((local) => `${local} = undefined`).join(', ')};`
  })
  if (leftOut === code) throw new Error('the entry of @trpc/client imports its WebSocket in another way now')
  return leftOut
}
