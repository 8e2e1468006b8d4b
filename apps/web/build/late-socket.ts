import type { Plugin } from 'vite'

const TRPC_ENTRY = /\/@trpc\/client\/dist\/index\.mjs$/
const SOCKET_IMPORT = /^import \{([^}]+)\} from "\.\/wsLink-[^"]+";$/m

/**
 * Removes the WebSocket link from tRPC's entry file. The bundler would otherwise put the link into the first chunk.
 * `@papermoon/client/live` imports `@trpc/client/links/wsLink/wsLink` directly.
 */
export function lateSocket(): Plugin {
  return {
    name: 'late-socket',
    apply: 'build',
    transform: {
      filter: { id: TRPC_ENTRY },
      handler: (code) => {
        const leftOut = code.replace(SOCKET_IMPORT, (_, names: string) => {
          const locals = names.split(',').map((name) => name.trim().split(' as ').at(-1))
          return `const ${locals.map((local) => `${local} = undefined`).join(', ')};`
        })
        if (leftOut === code) throw new Error('the entry of @trpc/client imports its WebSocket in another way now')
        return { code: leftOut, map: null }
      },
    },
  }
}
