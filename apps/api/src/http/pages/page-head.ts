/** A page's title, and what link previews show of the page. */
export interface PageHead {
  /** The browser tab's title, as the web app sets it. */
  readonly title: string
  readonly description: string
  /** The page's path; null if the page's content is unknown. */
  readonly path: string | null
  /** The picture's path. */
  readonly image: string
  /** Alternative text for the picture. */
  readonly imageAlt: string
  /** Whether search engines should not list the page. */
  readonly isUnlisted?: boolean
  /** HTML for readers without scripts, which contains the guide's example URL. */
  readonly withoutScripts?: string
  /** Values for the placeholders in the screen's first view, by name. */
  readonly words?: Readonly<Record<string, string>>
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Renders a head's elements. With an origin, its URLs are absolute, because crawlers need that. */
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
