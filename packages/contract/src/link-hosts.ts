/** Allowed hosts by kind of link. Their subdomains are allowed, too. */
const HOSTS = {
  x: ['x.com', 'twitter.com'],
  telegram: ['t.me', 'telegram.me'],
} as const

export type LinkKind = keyof typeof HOSTS

/** Whether a link labelled X or Telegram leads to that site. */
export function isLinkOfKind(kind: LinkKind, { hostname }: URL): boolean {
  return HOSTS[kind].some((host) => hostname === host || hostname.endsWith(`.${host}`))
}

/** Formats a kind's hosts: "x.com or twitter.com". */
export function formatHosts(kind: LinkKind): string {
  return HOSTS[kind].join(' or ')
}
