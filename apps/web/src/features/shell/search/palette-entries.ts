import type { CurrentUser } from '../../../lib/api/api.ts'
import { chooseScheme } from '../../../lib/ui/color-scheme.ts'
import { readDisabledMotions, setDisabledMotions } from '../../../lib/ui/motion.ts'
import { chooseSound, storedSound } from '../../../lib/ui/sound.ts'
import { logout } from '../account/logout.ts'

export interface PaletteEntry {
  readonly name: string
  readonly emoji: string
  /** Additional words by which the search finds the entry, in lower case. */
  readonly words: string
  /** The path of a page. If `isOutside` is true, the page is outside the app and needs a full page load. */
  readonly to?: string
  readonly isOutside?: boolean
  readonly act?: () => void
}

const PAGES: readonly PaletteEntry[] = [
  { name: 'Explore', emoji: '🎪', words: 'home tokens fairground', to: '/' },
  { name: 'Leaderboard', emoji: '🏆', words: 'winners ranking top', to: '/leaderboard' },
  { name: 'Fairs', emoji: '🎡', words: 'arena room cup bell tournament friends', to: '/fairs' },
  { name: 'Today’s tape', emoji: '📼', words: 'daily game streak strip', to: '/tape' },
  { name: 'Launch a token', emoji: '🚀', words: 'create new coin', to: '/launch' },
  { name: 'Docs', emoji: '📖', words: 'help how to play faq glossary', to: '/docs' },
  { name: 'Proof', emoji: '🔎', words: 'verify audit chain supply', to: '/proof' },
  { name: 'Developers', emoji: '🛠️', words: 'api bot keys websocket webhook', to: '/developers' },
  { name: 'API reference', emoji: '🤖', words: 'rest openapi bots', to: '/api/reference', isOutside: true },
]

export function toPages(user: CurrentUser | null): readonly PaletteEntry[] {
  if (user === null) return [...PAGES, { name: 'Login / Register', emoji: '🎟️', words: 'sign in account', to: '/auth' }]
  return [
    ...PAGES,
    { name: 'Dashboard', emoji: '🧮', words: 'pnl profit', to: '/dashboard' },
    { name: 'Portfolio', emoji: '👜', words: 'holdings net worth', to: '/portfolio' },
    { name: 'Following', emoji: '🔭', words: 'feed friends follow', to: '/following' },
    { name: 'My profile', emoji: '🙂', words: user.username.toLowerCase(), to: `/user/${user.id}` },
    {
      name: 'Settings',
      emoji: '⚙️',
      words: 'password picture colours sound motion security notifications',
      to: '/settings',
    },
  ]
}

export function toActions(user: CurrentUser | null, shown: 'dark' | 'light'): readonly PaletteEntry[] {
  const other = shown === 'dark' ? 'light' : 'dark'
  const sound = storedSound()
  const disabled = readDisabledMotions()
  return [
    {
      name: other === 'light' ? 'Use light colours' : 'Use dark colours',
      emoji: other === 'light' ? '☀️' : '🌙',
      words: 'theme colour scheme night paper',
      act: () => chooseScheme(other),
    },
    {
      name: sound.isOn ? 'Turn sound off' : 'Turn sound on',
      emoji: sound.isOn ? '🔇' : '🔔',
      words: 'mute volume',
      act: () => chooseSound({ ...sound, isOn: !sound.isOn }),
    },
    {
      name: disabled.has('all') ? 'Use my device’s motion setting' : 'Turn motion off',
      emoji: '🎠',
      words: 'animation reduced still',
      act: () =>
        setDisabledMotions(
          new Set(disabled.has('all') ? [...disabled].filter((word) => word !== 'all') : [...disabled, 'all']),
        ),
    },
    ...(user === null ? [] : [{ name: 'Logout', emoji: '👋', words: 'log out sign out', act: () => void logout() }]),
  ]
}

/**
 * Finds entries that have a word that begins with the text, in their name or keywords. An empty text matches all
 * entries.
 */
export function filterEntries(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const asked = text.trim().toLowerCase()
  if (asked === '') return entries
  return entries.filter(({ name, words }) => ` ${name.toLowerCase()} ${words}`.includes(` ${asked}`))
}
