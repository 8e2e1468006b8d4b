import type { Plugin } from 'vite'
import { loadModule } from './load-module.ts'

const NAME = 'virtual:mantine-variables.css'
const RESOLVED = `\0${NAME}`

/** Serves the variables of Mantine's theme as the style sheet `virtual:mantine-variables.css`. */
export function mantineVariables(): Plugin {
  return {
    name: 'mantine-variables',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null
      this.addWatchFile(new URL('../src/theme.ts', import.meta.url).pathname)
      return await loadModule('/src/mantine-variables.ts', (module: typeof import('../src/mantine-variables.ts')) =>
        module.writeMantineVariables(),
      )
    },
  }
}
