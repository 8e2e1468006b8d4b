import type { Feature } from './index.ts'

interface Tag {
  readonly name: string
  readonly description: string
}

const signIn = { name: 'Sign-in', description: 'Registering, signing in and out, and forgotten passwords.' }
const account = {
  name: 'Account',
  description: 'One’s own account: password, e-mail, wallet, sessions, second factor, passkeys, export and deletion.',
}
const tokens = { name: 'Tokens', description: 'The market: tokens, their trades, holders and charts, and launches.' }
const trading = {
  name: 'Trading',
  description: 'Orders, each placed at most once by its idempotency key, and what they did.',
}
const users = { name: 'Players', description: 'Public profiles, results, trades and stickers of players.' }
const talk = { name: 'Talk', description: 'What players say, whom they follow, and reports.' }
const notices = { name: 'Notices', description: 'What a player is told, price alerts, and push messages.' }

/** The tag of each feature's operations, in the order of the reference. */
const tags = {
  tokens,
  history: tokens,
  trading,
  orders: trading,
  waitingOrders: trading,
  past: { name: 'Past', description: 'A token as it was after any of its events, exact from the journal.' },
  fairs: {
    name: 'Fairs',
    description: 'Arenas, seasons, rooms, cups and sandboxes: markets with a stake, a ranking and an end.',
  },
  talk,
  follows: talk,
  reports: talk,
  portfolio: { name: 'Portfolio', description: 'What the signed-in player holds, is worth and won.' },
  users,
  stickers: users,
  leaderboard: { name: 'Leaderboard', description: 'Boards of the last six hours and of all time.' },
  search: { name: 'Search', description: 'Tokens and players by a part of their names.' },
  watchlist: { name: 'Watchlist', description: 'Tokens that the player has starred.' },
  tape: { name: 'Tape', description: 'Three minutes of a token’s past each day, the same for everybody.' },
  notices,
  alerts: notices,
  push: notices,
  webhooks: { name: 'Webhooks', description: 'Addresses that are sent events of tokens, or of the player.' },
  proof: { name: 'Proof', description: 'That every sum is exact, and that no trade was changed afterwards.' },
  keys: { name: 'API keys', description: 'Keys for programs, made and revoked in a session.' },
  auth: signIn,
  account,
  security: account,
  secondFactor: account,
  passkeys: account,
  uploads: { name: 'Pictures', description: 'Uploads of profile pictures.' },
  site: { name: 'Site', description: 'What the operator set, the market’s constants, and the limits of calls.' },
  admin: { name: 'Moderation', description: 'What keeps order; in no public document.' },
  live: { name: 'Live', description: 'Events as they happen.' },
} as const satisfies Record<Feature, Tag>

/** The tag of a procedure such as `trading.buy`. */
export function findTag(procedure: string): Tag {
  return tags[procedure.slice(0, procedure.indexOf('.')) as Feature]
}

/** The tags with an operation, each once. */
export function listTags(procedures: readonly string[]): Tag[] {
  const used = new Set(procedures.map(findTag))
  return [...new Set<Tag>(Object.values(tags))].filter((tag) => used.has(tag))
}
