import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstChunks } from './build/first-chunks.ts'
import { firstPage, nameClass } from './build/first-page.ts'
import { generated } from './build/generated.ts'
import { writtenFiles } from './build/written-files.ts'

const api = `http://127.0.0.1:${process.env.API_PORT ?? process.env.PORT ?? 3000}`

const { plugin: chunks, groups } = firstChunks()

export default defineConfig({
  plugins: [react(), chunks, firstPage(), generated(), writtenFiles()],
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
