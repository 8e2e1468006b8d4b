import { fillIn } from '@papermoon/guide/fill-in'
import { z } from 'zod'
import { escapeHtml, type PageHead, renderHead } from './page-head.ts'

/** The place of the head in the built page, between two comments. */
const HEAD = /<!-- page-head -->[\s\S]*?<!-- \/page-head -->/

/** Written by the build: each screen's path with the links that only its head gets. */
const LINKS = /<!-- screen-links (\[[\s\S]*?\]) -->/
const ID = '$id'
/** The id in the path of a token or a player. */
const NUMBER = /(?<=^\/[^/]+\/)\d+$/

/** Written by the build: by screen, the HTML shown until the scripts run. */
const VIEWS = /<!-- first-view (\{[\s\S]*?\}) -->/
const ANY_SCREEN = '*'
/** A placeholder in a view for a value that only the server knows. */
const WORD = /\{(\w+)\}/g

/** Renders the web app's page with a head. */
export type PageShell = (head: PageHead, origin: string | null) => string

/** The shell of a built page; null for one without the comments of a head. */
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

/** Puts the text for readers without scripts to the end of the page. */
function insertText(html: string, { withoutScripts }: PageHead, origin: string | null): string {
  if (withoutScripts === undefined) return html
  const text = origin === null ? withoutScripts : fillIn(withoutScripts, { url: origin })
  return html.replace('</body>', () => `<noscript>${text}</noscript></body>`)
}

/** Renders the rest of the page with its screen's first view. */
function fillView(html: string): (head: PageHead) => string {
  const list = VIEWS.exec(html)
  if (list === null) return () => html
  const views = new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(list[1] ?? ''))))
  const before = html.slice(0, list.index)
  const after = html.slice(list.index + list[0].length)
  return (head) => before + (renderView(views, head) ?? views.get(ANY_SCREEN) ?? '') + after
}

/** The first view at a head's path; null if there is none or the head lacks a value for it. */
function renderView(views: ReadonlyMap<string, string>, { path, words = {} }: PageHead): string | null {
  const view = path === null ? undefined : views.get(toScreen(toPathname(path)))
  if (view === undefined) return null
  const missing = [...view.matchAll(WORD)].some(([, name = '']) => words[name] === undefined)
  return missing ? null : view.replace(WORD, (_, name: string) => escapeHtml(words[name] ?? ''))
}

/** Renders the links for the screen at a path; empty if the build lists none. */
function readLinks(list: string): (path: string | null) => string {
  const screens = new Map(z.array(z.tuple([z.string(), z.array(z.string())])).parse(JSON.parse(list)))
  return (path) => {
    if (path === null) return ''
    const [id = ''] = NUMBER.exec(path) ?? []
    const links = screens.get(toScreen(path)) ?? []
    return links.map((link) => link.replaceAll(ID, () => id)).join('\n    ')
  }
}

/** A path without its query: a token's page in the past has the view of now, but not its links to the figures of now. */
function toPathname(path: string): string {
  return path.split('?')[0] ?? path
}

/** The path as the web app's router writes it, with `$id`. */
function toScreen(path: string): string {
  return path.replace(NUMBER, () => ID)
}
