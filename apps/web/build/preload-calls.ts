import type { Plugin } from 'vite'
import type { FirstCalls } from '../src/first-calls.ts'
import { type Bundle, collectFiles, findChunk, inlineSheet } from './bundle-files.ts'
import { loadModule } from './load-module.ts'

/** The home screen's code is in the first chunk. */
const HOME = '/'
/** The modules of the other screens that make early requests. */
const MODULES: Readonly<Record<string, string>> = {
  '/leaderboard': '/src/features/leaderboard/leaderboard-screen.tsx',
  '/token/$id': '/src/routes/token.tsx',
}

/**
 * Starts a page's first requests while its scripts are still loading. Every page has the link for `auth.me`. A comment
 * in the page contains what differs by screen: the link for the other requests, the styles, and the names of the
 * scripts that `start.js` fetches. The server fills the page's head from that comment. The page misses no event,
 * because a token's live feed begins where its data ends.
 */
export function preloadCalls(): Plugin {
  return {
    name: 'preload-calls',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {}, chunk: entry }) {
        const first = new Set(entry === undefined ? [] : collectFiles(bundle, entry.fileName))
        const calls = await recordCalls()
        const screens = Object.entries(calls).map(([screen, { batch }]) => {
          const all = screen === HOME ? [] : [...collectFiles(bundle, findChunk(bundle, MODULES[screen] ?? screen))]
          const files = all.filter((name) => !first.has(name))
          return [screen, [...toHead(bundle, files), linkTo(batch)]] as const
        })
        const head = `  ${linkTo(calls[HOME]?.user ?? '')}\n  <!-- screen-links ${JSON.stringify(screens)} -->\n  </head>`
        return html.replace('</head>', () => head)
      },
    },
  }
}

async function recordCalls(): Promise<Record<string, FirstCalls>> {
  return await loadModule('/src/first-calls.ts', (module: typeof import('../src/first-calls.ts')) =>
    module.recordFirstCalls(),
  )
}

function toHead(bundle: Bundle, files: readonly string[]): string[] {
  const sheets = files.filter((name) => name.endsWith('.css'))
  const scripts = files.filter((name) => !name.endsWith('.css')).map((name) => `/${name}`)
  return [
    ...sheets.map((name) => inlineSheet(bundle, name, `<link rel="stylesheet" crossorigin href="/${name}">`)),
    ...(scripts.length === 0 ? [] : [`<meta name="screen-scripts" content="${scripts.join(' ')}">`]),
  ]
}

function linkTo(call: string): string {
  return `<link rel="preload" as="fetch" crossorigin href="${call.replaceAll('&', '&amp;')}">`
}
