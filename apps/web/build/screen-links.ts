import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/** In the first chunk. */
const HOME = '/'

const ROUTE = /\/src\/routes\/([^/?]+)\.tsx\?tsr-split=component/
/** A call as the batch link sends it; `$id` stands for the number in the address. */
type Call = readonly [path: string, input: object | null]

/**
 * The screens whose page names its files and first calls: those of many files and much data. For the leaderboard, whose
 * files are few and small, links only took from the first chunk's share of the line; home has calls, and no files of
 * its own.
 * The calls are those of the root route and of the screen's loader, in one batch. The page takes the early answer for
 * its own call, which is why both have to ask the same, to the letter. However long the scripts take, nothing is missed:
 * a token's live feed begins where its data ends.
 */
const FIRST_CALLS: Readonly<Record<string, readonly Call[]>> = {
  '/': [
    ['site.settings', null],
    ['tokens.list', { sort: 'newest', limit: 24, direction: 'forward' }],
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
 * Tells the server, in a comment of the page, which links the head of a screen gets: to the files that only that
 * screen needs, and to its first calls. The browser then fetches them beside the first chunk and not after it.
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
          const files = screen === HOME ? [] : [...filesOf(bundle, chunkOf(bundle, screen))]
          return [screen, [...files.filter((name) => !first.has(name)).map(linkToFile), linkToCalls(calls)]] as const
        })
        return html.replace('</head>', () => `  <!-- screen-links ${JSON.stringify(screens)} -->\n  </head>`)
      },
    },
  }
}

/** The name of the chunk that only a screen needs. */
function chunkOf(bundle: Bundle, screen: string): string {
  const chunk = Object.values(bundle).find(
    (it) => it.type === 'chunk' && it.facadeModuleId !== null && screenOf(it.facadeModuleId) === screen,
  )
  if (chunk === undefined) throw new Error(`the build has no chunk of its own for ${screen}`)
  return chunk.fileName
}

/** The address of a route's file, as the router writes it; null for what is no screen. */
function screenOf(moduleId: string): string | null {
  const name = ROUTE.exec(moduleId)?.[1]
  return name === undefined ? null : `/${name.replaceAll('.', '/')}`
}

/** A chunk, what it imports, and their style sheets, in the order in which Vite would load them. */
function filesOf(bundle: Bundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (found.has(name) || chunk?.type !== 'chunk') return found
  found.add(name)
  for (const imported of chunk.imports) filesOf(bundle, imported, found)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet)
  return found
}

/** Style sheets are put into the page by the chunk's loader: in the head they would hold up the first paint. */
function linkToFile(name: string): string {
  return name.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${name}">`
    : `<link rel="modulepreload" crossorigin href="/${name}">`
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
