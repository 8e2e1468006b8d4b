import { z } from 'zod'
import { escapeHtml, type PageHead, renderHead } from './page-head.ts'

/** Where the built page has its head, between two comments. */
const HEAD = /<!-- page-head -->[\s\S]*?<!-- \/page-head -->/

/** What the build says of each screen: its address, and what only the head of that screen gets. */
const LINKS = /<!-- screen-links (\[[\s\S]*?\]) -->/
const ID = '$id'
/** At the end of the address of a token or a player. */
const NUMBER = /(?<=^\/[^/]+\/)\d+$/

/** What stands in the page until its scripts are there, by screen. */
const VIEWS = /<!-- first-view (\{[\s\S]*?\}) -->/
const ANY_SCREEN = '*'
/** Stands where a view says what only the server knows. */
const WORD = /\{(\w+)\}/g

/** The web app's page with a head of its own. */
export type PageShell = (head: PageHead, origin: string | null) => string

/** The shell of a built page; null for one that does not say where its head is. */
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
  return (head, origin) => before + renderHead(head, origin) + between + renderLinks(head.path) + renderRest(head)
}

/** The rest of the page with the first view of the screen that is there, in the words of its head. */
function fillView(html: string): (head: PageHead) => string {
  const list = VIEWS.exec(html)
  if (list === null) return () => html
  const views = new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(list[1] ?? ''))))
  const before = html.slice(0, list.index)
  const after = html.slice(list.index + list[0].length)
  return (head) => before + (renderView(views, head) ?? views.get(ANY_SCREEN) ?? '') + after
}

/** The view of the screen at the address of a head; null where it has none, or needs words that the head has not. */
function renderView(views: ReadonlyMap<string, string>, { path, words = {} }: PageHead): string | null {
  const view = path === null ? undefined : views.get(toScreen(path))
  if (view === undefined) return null
  const missing = [...view.matchAll(WORD)].some(([, name = '']) => words[name] === undefined)
  return missing ? null : view.replace(WORD, (_, name: string) => escapeHtml(words[name] ?? ''))
}

/** Finds what the head of the screen at an address of ours gets; nothing where the build names no such screen. */
function readLinks(list: string): (path: string | null) => string {
  const screens = new Map(z.array(z.tuple([z.string(), z.array(z.string())])).parse(JSON.parse(list)))
  return (path) => {
    if (path === null) return ''
    const [id = ''] = NUMBER.exec(path) ?? []
    const links = screens.get(toScreen(path)) ?? []
    return links.map((link) => link.replaceAll(ID, () => id)).join('\n    ')
  }
}

/** The screen at an address, as the router of the app names it. */
function toScreen(path: string): string {
  return path.replace(NUMBER, () => ID)
}
