import { STATUS_CODES } from 'node:http'
import { BOUNDS } from '@papermoon/contract/bounds'
import { errors } from '@papermoon/contract/errors'
import { formatName } from '@papermoon/format'
import { CHAPTERS, type ChapterId } from '@papermoon/guide/chapters'
import { readDocument, toHtml } from '@papermoon/guide/documents'
import { fillIn } from '@papermoon/guide/fill-in'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { shownLimits } from '../../security/rate-limits.ts'
import { countRead } from '../calls/call-context.ts'
import { sendFailure } from '../error-response.ts'
import { createFixedPage, serveAtOrigins } from './fixed-page.ts'
import { escapeHtml } from './page-shell.ts'

/** A document of the guide, with the guide's example URL, by the path at which the server serves it. */
interface GuideDocument {
  readonly type: string
  render(): string
}

const MARKDOWN = 'text/markdown; charset=utf-8'
const HTML = 'text/html; charset=utf-8'
const ROOT = 'http://localhost:3000'

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 52rem; padding: 1rem }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .75rem; font-size: .85rem }
table { border-collapse: collapse } td, th { border: 1px solid var(--line); padding: .25rem .5rem; text-align: start }
`

/**
 * The guide for programs and for readers without scripts: the whole guide, each chapter, and an index for language
 * models.
 */
const guideDocuments: ReadonlyMap<string, GuideDocument> = new Map([
  ['/llms.txt', { type: 'text/plain; charset=utf-8', render: writeIndex }],
  ['/developers.md', { type: MARKDOWN, render: readGuide }],
  ['/developers', { type: HTML, render: () => toPage('Developers', createGuideText()) }],
  ...CHAPTERS.flatMap((id): [string, GuideDocument][] => [
    [`/developers/${id}.md`, { type: MARKDOWN, render: () => readChapter(id) }],
    [`/developers/${id}`, { type: HTML, render: () => toPage(findTitle(readChapter(id)), toHtml(readChapter(id))) }],
  ]),
])

function readGuide(): string {
  return CHAPTERS.map(readChapter).join('\n')
}

/** Creates the guide's text for visitors whose browser runs no scripts. */
export function createGuideText(): string {
  return toHtml(readGuide())
}

/**
 * Reads a chapter of the guide. Adds all error codes to the chapter on errors, because `type` in problem details links
 * to it. Adds tables of the limits to the chapter on limits.
 */
function readChapter(id: ChapterId): string {
  const ends: Partial<Record<ChapterId, () => string>> = { errors: listErrors, limits: listLimits }
  return [readDocument(id), ends[id]?.()].filter((part) => part !== undefined).join('\n')
}

/** Lists the default limits, as if the operator had changed none. */
function listLimits(): string {
  const say = (rule: (typeof shownLimits)[number]['perAddress']) =>
    rule === null ? 'no limit' : `${rule.calls} in ${rule.seconds} s`
  return [
    '| calls | for each address | for each account |\n|---|---|---|',
    ...shownLimits.map(({ name, perAddress, perAccount }) => `| ${name} | ${say(perAddress)} | ${say(perAccount)} |`),
    '\n| bound | at most |\n|---|---|',
    ...Object.entries(BOUNDS).map(([name, most]) => `| ${formatName(name)} (\`${name}\`) | ${most} |`),
    '',
  ].join('\n')
}

function listErrors(): string {
  return Object.entries(errors)
    .sort(([, one], [, other]) => one.status - other.status)
    .map(([code, { status, example }]) => `## ${code}\n\n${status} ${STATUS_CODES[status]}: “${example}”\n`)
    .join('\n')
}

/** Writes the index for language models in the format of llmstxt.org. */
function writeIndex(): string {
  const link = (title: string, path: string) => `- [${title}](${ROOT}${path})`
  return `# Papermoon

> A play-money launchpad: launch, trade and watch meme tokens by an open HTTP API. No real money, no blockchain.

Send \`Accept: application/json\` with every request: errors are plain sentences otherwise.

## Guide

${[...CHAPTERS.map((id) => link(findTitle(readChapter(id)), `/developers/${id}.md`)), link('The complete guide', '/developers.md')].join('\n')}

## Reference

${[
  link('OpenAPI 3.1', '/api/openapi.json'),
  link('AsyncAPI description of the event stream', '/api/asyncapi.json'),
  link('Interactive API reference', '/api/reference'),
].join('\n')}
`
}

function findTitle(markdown: string): string {
  return /^# (.*)$/m.exec(markdown)?.[1] ?? ''
}

function toPage(title: string, html: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Papermoon</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<p><a href="/developers">Developers</a> · <a href="/developers.md">as Markdown</a> · <a href="/api/reference">Reference</a></p>
${html}
</body>
</html>
`
}

/** Max number of cached documents. The number is limited, because the client chooses the Host header. */
const PAGES_MAX = 128

/** Serves the guide as Markdown and as pages without scripts, `/llms.txt`, and an index at `/api`. */
export const guidePages = fp<{ app: App; hasScreens: boolean }>(
  async (fastify, { app, hasScreens }) => {
    const serve = serveAtOrigins(fastify, app, PAGES_MAX)
    for (const [path, { type, render }] of guideDocuments) {
      // Leave out this page, because the screen already contains its text.
      if (path === '/developers' && hasScreens) continue
      serve({ path, create: (url) => createFixedPage(type, fillIn(render(), { url })) })
    }
    fastify.get('/api', {
      config: { isOpen: true },
      errorHandler: sendFailure,
      onRequest: countRead(app),
      handler: async (_request, reply) => reply.header('cache-control', 'no-cache').send(INDEX),
    })
  },
  { name: 'guide-pages', dependencies: ['security'] },
)

/** Links for a program that knows only the server's URL. */
const INDEX = {
  guide: '/developers.md',
  openapi: '/api/openapi.json',
  asyncapi: '/api/asyncapi.json',
  reference: '/api/reference',
  errors: '/developers/errors',
  events: '/api/events',
  parameters: '/api/parameters',
}
