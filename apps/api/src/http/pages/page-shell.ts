import { fillIn } from '@papermoon/guide/fill-in'
import { z } from 'zod'

/** Matches the head of the built page, which is between two comments. */
const HEAD = /<!-- page-head -->[\s\S]*?<!-- \/page-head -->/

/** Matches the build's list with the path of each screen and the links that only its head gets. */
const LINKS = /<!-- screen-links (\[[\s\S]*?\]) -->/

const ID = '$id'

/** Matches the id in the path of a token or a player. */
const NUMBER = /(?<=^\/[^/]+\/)\d+$/

/** Matches the build's HTML that each screen shows until the scripts run. */
const VIEWS = /<!-- first-view (\{[\s\S]*?\}) -->/

const ANY_SCREEN = '*'

/** Matches a placeholder for a value that only the server knows. */
const WORD = /\{(\w+)\}/g

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The title of a page, and the contents of its link previews. */
export interface PageHead {
  /** The title of the browser tab, as the web app sets it. */
  readonly title: string
  readonly description: string
  /** URL path of the page. The path is null if the content of the page is unknown. */
  readonly path: string | null
  /** URL path of the picture. */
  readonly image: string
  /** Alternative text of the picture. */
  readonly imageAlt: string
  /** Whether search engines should not list the page. */
  readonly isUnlisted?: boolean
  /** HTML for visitors without scripts, with the guide's example URL. */
  readonly withoutScripts?: string
  /** Values of the placeholders in the screen's first view, by name. */
  readonly words?: Readonly<Record<string, string>>
}

/** Renders the web app's page with a head. */
export type PageShell = (head: PageHead, origin: string | null) => string

/** Returns the template of a built page. Returns null if the page lacks the comments around the head. */
export function pageShell(html: string): PageShell | null {
  const place = HEAD.exec(html)
  if (place === null) return null
  const before = html.slice(0, place.index)
  const rest = html.slice(place.index + place[0].length)
  const list = LINKS.exec(rest)
  const between = list === null ? '' : rest.slice(0, list.index)
  const after = list === null ? rest : rest.slice(list.index + list[0].length)
  const renderLinks = readLinks(list?.[1] ?? '[]')
  const renderRest = fillView(after)
  return (head, origin) =>
    before + renderHead(head, origin) + between + renderLinks(head.path) + insertText(renderRest(head), head, origin)
}

/** Appends text for visitors without scripts to the page. */
function insertText(html: string, { withoutScripts }: PageHead, origin: string | null): string {
  if (withoutScripts === undefined) return html
  const text = origin === null ? withoutScripts : fillIn(withoutScripts, { url: origin })
  return html.replace('</body>', () => `<noscript>${text}</noscript></body>`)
}

/** Returns a function that renders the page without the head, with the first view of its screen. */
function fillView(html: string): (head: PageHead) => string {
  const list = VIEWS.exec(html)
  if (list === null) return () => html
  const views = new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(list[1] ?? ''))))
  const before = html.slice(0, list.index)
  const after = html.slice(list.index + list[0].length)
  return (head) => before + (renderView(views, head) ?? views.get(ANY_SCREEN) ?? '') + after
}

/** Renders the first view for the path of a head. Returns null if the value of a placeholder is missing. */
function renderView(views: ReadonlyMap<string, string>, { path, words = {} }: PageHead): string | null {
  const view = path === null ? undefined : views.get(toScreen(toPathname(path)))
  if (view === undefined) return null
  const missing = [...view.matchAll(WORD)].some(([, name = '']) => words[name] === undefined)
  return missing ? null : view.replace(WORD, (_, name: string) => escapeHtml(words[name] ?? ''))
}

/**
 * Returns a function that renders the links for the screen at a path. If the build lists no links for the screen, the
 * result is empty.
 */
function readLinks(list: string): (path: string | null) => string {
  const screens = new Map(z.array(z.tuple([z.string(), z.array(z.string())])).parse(JSON.parse(list)))
  return (path) => {
    if (path === null) return ''
    const [id = ''] = NUMBER.exec(path) ?? []
    const links = screens.get(toScreen(path)) ?? []
    return links.map((link) => link.replaceAll(ID, () => id)).join('\n    ')
  }
}

/**
 * Returns a path without its query. A page of a token's past has the same first view as the token's current page, but
 * no links to current data.
 */
function toPathname(path: string): string {
  return path.split('?')[0] ?? path
}

/** Returns the path as the web app's router writes it, with `$id`. */
function toScreen(path: string): string {
  return path.replace(NUMBER, () => ID)
}

/**
 * Renders the elements of a head. If the origin is known, the URLs are absolute, because crawlers need absolute URLs.
 */
export function renderHead(head: PageHead, origin: string | null): string {
  const { title, description, path, imageAlt, isUnlisted = false } = head
  const at = (address: string) => `${origin ?? ''}${address}`
  const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`
  const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`
  const lines = [
    `<title>${escapeHtml(title)}</title>`,
    named('description', description),
    ...(isUnlisted ? [named('robots', 'noindex')] : []),
    ...(path === null ? [] : [`<link rel="canonical" href="${escapeHtml(at(path))}" />`, property('og:url', at(path))]),
    property('og:site_name', 'Papermoon'),
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:image', at(head.image)),
    property('og:image:type', 'image/png'),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', imageAlt),
    named('twitter:card', 'summary_large_image'),
  ]
  return lines.join('\n    ')
}

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
