/** Sections of the settings, by their value in the URL. If the URL has no value, `/settings` shows the account. */
export const SECTIONS = {
  account: 'Account',
  security: 'Security',
  notifications: 'Notifications',
  display: 'Display',
} as const

export type Section = keyof typeof SECTIONS

/** Sections that links in emails refer to by an anchor, such as `/settings#password`. */
const BY_ANCHOR: Readonly<Record<string, Section>> = {
  security: 'security',
  password: 'security',
  notifications: 'notifications',
}

/** Returns the section in the URL. Returns undefined for the account, which is the first section. */
export function parseSection({ section }: Record<string, unknown>): { section?: Section | undefined } {
  const isKnown = typeof section === 'string' && section !== 'account' && Object.hasOwn(SECTIONS, section)
  return { section: isKnown ? (section as Section) : undefined }
}

export function findByAnchor(anchor: string): Section | undefined {
  return Object.hasOwn(BY_ANCHOR, anchor) ? BY_ANCHOR[anchor] : undefined
}
