import { CHAPTERS, readGuide } from '@papermoon/guide'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressAssets } from './build/compress-assets.ts'
import { firstChunks } from './build/first-chunks.ts'
import { firstView } from './build/first-view.ts'
import { lateSocket } from './build/late-socket.ts'
import { mantineVariables } from './build/mantine-variables.ts'
import { nameClass } from './build/name-class.ts'
import { preloadCalls } from './build/preload-calls.ts'
import { preloadFonts } from './build/preload-fonts.ts'
import { publicQueries } from './build/public-queries.ts'
import { stampWorker } from './build/stamp-worker.ts'

const NAME = 'virtual:guide'
const RESOLVED = `\0${NAME}`
const api = `http://127.0.0.1:${process.env.API_PORT ?? process.env.PORT ?? 3000}`

const { plugin: chunks, groups } = firstChunks()

export default defineConfig({
  plugins: [
    react(),
    chunks,
    lateSocket(),
    preloadFonts(),
    preloadCalls(),
    firstView(),
    guide(),
    mantineVariables(),
    publicQueries(),
    stampWorker(),
    compressAssets(),
  ],
  server: {
    proxy: {
      '/trpc': { target: api, ws: true },
      '/ws': { target: api, ws: true },
      // Use the object form. The string form would set changeOrigin and rewrite Host, so the API would reject the page
      // as a foreign origin.
      '/api': { target: api },
      '/objects': { target: api },
      '/exports': { target: api },
      '^/(developers[/.]|llms.txt)': { target: api },
      '/healthz': { target: api },
    },
  },
  // React already provides the same as this shim.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  css: { modules: { generateScopedName: nameClass } },
  build: {
    target: 'es2023',
    // Inline no assets, because they would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups },
        // Use short names, because the first screen contains every name.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ name }) => `assets/${name.slice(0, 12)}-[hash:7].js`,
        assetFileNames: 'assets/[hash:5][extname]',
      },
    },
    chunkSizeWarningLimit: 700,
  },
})

/** Serves the guide from packages/guide, parsed and coloured, as the module `virtual:guide`. */
function guide(): Plugin {
  return {
    name: 'guide',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null
      const folder = new URL('../chapters/', import.meta.resolve('@papermoon/guide'))
      for (const chapter of CHAPTERS) this.addWatchFile(new URL(`${chapter}.md`, folder).pathname)
      // Export the guide as text, because browsers parse a large object faster from a string.
      return `export const chapters = JSON.parse(${JSON.stringify(JSON.stringify(readGuide()))})`
    },
  }
}
