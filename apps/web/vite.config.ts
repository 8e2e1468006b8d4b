import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './build/compress-assets.ts'
import { firstChunks } from './build/first-chunks.ts'
import { firstView } from './build/first-view.ts'
import { lateSocket } from './build/late-socket.ts'
import { preloadFonts } from './build/preload-fonts.ts'
import { preloadUser } from './build/preload-user.ts'
import { screenLinks } from './build/screen-links.ts'
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
      // The home page is what most visitors see first: it stays in the entry chunk.
      codeSplittingOptions: { splitBehavior: ({ routeId }) => (routeId === '/' ? [] : undefined) },
    }),
    react(),
    chunks,
    lateSocket(),
    preloadFonts(),
    preloadUser(),
    screenLinks(),
    firstView(),
    stampWorker(),
    compressAssets(),
  ],
  server: {
    proxy: {
      '/trpc': { target: api, ws: true },
      '/ws': { target: api, ws: true },
      // Targets as objects: the short form rewrites Host, and the API would take the page for a foreign one.
      '/api': { target: api },
      '/objects': { target: api },
      '/exports': { target: api },
      '/healthz': { target: api },
    },
  },
  build: {
    target: 'es2023',
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
    chunkSizeWarningLimit: 700,
  },
})
