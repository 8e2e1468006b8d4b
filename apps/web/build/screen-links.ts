import type { Plugin } from 'vite'
import { type Bundle, chunkOf, filesOf, inlineSheet } from './bundle-files.ts'

/** In the first chunk. */
const HOME = '/'

/** A call as the batch link sends it; `$id` stands for the number in the address. */
type Call = readonly [path: string, input: object | null]

/**
 * The screens whose page brings their styles and names their files and first calls; home has no files of its own.
 * The calls are those of the root route and of the screen's loader, in one batch. The page takes the early answer for
 * its own call, which is why both have to ask the same, to the letter. However long the scripts take, nothing is missed:
 * a token's live feed begins where its data ends.
 */
const FIRST_CALLS: Readonly<Record<string, readonly Call[]>> = {
  '/': [
    ['site.settings', null],
    ['tokens.list', { sort: 'newest', limit: 24, direction: 'forward' }],
  ],
  '/leaderboard': [
    ['site.settings', null],
    ['leaderboard.get', null],
  ],
  '/token/$id': [
    ['site.settings', null],
    ['tokens.get', { id: '$id' }],
    ['tokens.trades', { id: '$id' }],
    ['tokens.holders', { id: '$id' }],
    ['tokens.chart', { id: '$id', timeframe: 'ALL' }],
  ],
}

/**
 * Tells the server, in a comment of the page, what the head of a screen gets: its styles, the links to its first calls,
 * and the names of its scripts. They are fetched beside the first ones (`start.js`), once the first view is painted.
 */
export function screenLinks(): Plugin {
  return {
    name: 'screen-links',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk: entry }) {
        const first = new Set(entry === undefined ? [] : filesOf(bundle, entry.fileName))
        const screens = Object.entries(FIRST_CALLS).map(([screen, calls]) => {
          const all = screen === HOME ? [] : [...filesOf(bundle, chunkOf(bundle, screen))]
          const files = all.filter((name) => !first.has(name))
          return [screen, [...headOf(bundle, files), linkToCalls(calls)]] as const
        })
        return html.replace('</head>', () => `  <!-- screen-links ${JSON.stringify(screens)} -->\n  </head>`)
      },
    },
  }
}

function headOf(bundle: Bundle, files: readonly string[]): string[] {
  const sheets = files.filter((name) => name.endsWith('.css'))
  const scripts = files.filter((name) => !name.endsWith('.css')).map((name) => `/${name}`)
  return [
    ...sheets.map((name) => inlineSheet(bundle, name, `<link rel="stylesheet" crossorigin href="/${name}">`)),
    ...(scripts.length === 0 ? [] : [`<meta name="screen-scripts" content="${scripts.join(' ')}">`]),
  ]
}

function linkToCalls(calls: readonly Call[]): string {
  const paths = calls.map(([path]) => path).join(',')
  // What superjson makes of no input, and of one that JSON holds by itself.
  const inputs = calls.map(([, input]) =>
    input === null ? { json: null, meta: { values: ['undefined'], v: 1 } } : { json: input },
  )
  const text = encodeURIComponent(JSON.stringify({ ...inputs })).replaceAll('%22%24id%22', '$id')
  return `<link rel="preload" as="fetch" crossorigin href="/trpc/${paths}?batch=1&amp;input=${text}">`
}
