/** What a page says about itself to those who show a link to it. */
export interface PageHead {
  /** What the browser's tab shows, as the web app names it. */
  readonly title: string
  readonly description: string
  /** The page's own address, without the origin; null where it is not known what is there. */
  readonly path: string | null
  /** The address of the picture, without the origin. */
  readonly image: string
  /** The picture in words. */
  readonly imageAlt: string
  /** A page that is of use to nobody who searches. */
  readonly isUnlisted?: boolean
  /** What the screen's first view says that the build cannot know, by name. */
  readonly words?: Readonly<Record<string, string>>
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The elements of a head; addresses are absolute, as crawlers need them, where an origin is known. */
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

/** Text that is text in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
