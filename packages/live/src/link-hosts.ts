/** Where a link of a kind may lead: to one of these hosts, or to a part of one. */
const HOSTS = {
  x: ['x.com', 'twitter.com'],
  telegram: ['t.me', 'telegram.me'],
} as const

export type LinkKind = keyof typeof HOSTS

/** Whether a link that is labelled X or Telegram leads there. */
export function leadsToItsName(kind: LinkKind, { hostname }: URL): boolean {
  return HOSTS[kind].some((host) => hostname === host || hostname.endsWith(`.${host}`))
}

/** The hosts of a kind in words: "x.com or twitter.com". */
export function hostsInWords(kind: LinkKind): string {
  return HOSTS[kind].join(' or ')
}
