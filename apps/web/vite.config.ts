import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './build/compress-assets.ts'
import { firstChunks } from './build/first-chunks.ts'
import { firstView } from './build/first-view.ts'
import { guide } from './build/guide.ts'
import { lateSocket } from './build/late-socket.ts'
import { mantineVariables } from './build/mantine-variables.ts'
import { nameClass } from './build/name-class.ts'
import { preloadCalls } from './build/preload-calls.ts'
import { preloadFonts } from './build/preload-fonts.ts'
import { publicQueries } from './build/public-queries.ts'
import { stampWorker } from './build/stamp-worker.ts'

const api = `http://127.0.0.1:${process.env.API_PORT ?? process.env.PORT ?? 3000}`

const { plugin: chunks, groups } = firstChunks()

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: false,
      // Most visitors start on the home page, so its code is in the entry chunk.
      codeSplittingOptions: { splitBehavior: ({ routeId }) => (routeId === '/' ? [] : undefined) },
    }),
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
      // The string form would set changeOrigin and rewrite Host; the API would refuse the page as a foreign origin.
      '/api': { target: api },
      '/objects': { target: api },
      '/exports': { target: api },
      '^/(developers[/.]|llms.txt)': { target: api },
      '/healthz': { target: api },
    },
  },
  // React has what this shim is for.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  css: { modules: { generateScopedName: nameClass } },
  build: {
    target: 'es2023',
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
    chunkSizeWarningLimit: 700,
  },
})
