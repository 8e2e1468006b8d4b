import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { nameClass } from './name-class.ts'

/** Evaluates an app module in Node and returns the result of `use`. `path` begins with `/src/`. */
export async function loadModule<Module, Result>(
  path: string,
  use: (module: Module) => Result,
): Promise<Awaited<Result>> {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    plugins: [react()],
    css: { modules: { generateScopedName: nameClass } },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    return await use((await server.ssrLoadModule(path)) as Module)
  } finally {
    await server.close()
  }
}
