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
      // Use the object form, because the string form would set changeOrigin and rewrite Host, and the API would reject
      // the page as one of another site.
      '/api': { target: api },
      '/objects': { target: api },
      '/exports': { target: api },
      '^/(developers[/.]|llms.txt)': { target: api },
      '/healthz': { target: api },
    },
  },
  // Do not bundle this shim, because React already contains its function.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  css: { modules: { generateScopedName: nameClass } },
  build: {
    target: 'es2023',
    // These are the first versions with `light-dark()`. For older browsers, the compiled styles would ignore the colour
    // scheme of fairs.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inline no assets, because the content security policy would otherwise need `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups },
        // Use short names, because the first screen contains all of them.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ name }) => `assets/${name.slice(0, 12)}-[hash:7].js`,
        assetFileNames: 'assets/[hash:5][extname]',
      },
    },
    chunkSizeWarningLimit: 700,
  },
})
