/** Allowed hosts for each kind of link. Subdomains of these hosts are also allowed. */
const HOSTS = {
  x: ['x.com', 'twitter.com'],
  telegram: ['t.me', 'telegram.me'],
} as const

export type LinkKind = keyof typeof HOSTS

/** Returns whether a link to X or Telegram has an allowed host. */
export function isLinkOfKind(kind: LinkKind, { hostname }: URL): boolean {
  return HOSTS[kind].some((host) => hostname === host || hostname.endsWith(`.${host}`))
}

/** Formats the allowed hosts for a kind of link, such as "x.com or twitter.com". */
export function formatHosts(kind: LinkKind): string {
  return HOSTS[kind].join(' or ')
}
