import type { Feature } from './index.ts'

interface Tag {
  readonly name: string
  readonly description: string
}

const signIn = { name: 'Sign-in', description: 'Register, log in and out, and reset a password.' }
const account = {
  name: 'Account',
  description: 'Your account: password, email, wallet, sessions, second factor, passkeys, export and deletion.',
}
const tokens = { name: 'Tokens', description: 'Tokens, their trades, holders and charts, and launches.' }
const trading = {
  name: 'Trading',
  description: 'Place orders, each at most once per idempotency key, and read their outcome.',
}
const users = { name: 'Players', description: 'Players’ public profiles, results, trades and stickers.' }
const talk = { name: 'Talk', description: 'Posts, follows, blocks and reports.' }
const notices = { name: 'Notices', description: 'Notices, price alerts and push messages.' }

/** The OpenAPI tag for each feature's operations, in the order of the API reference. */
const tags = {
  tokens,
  history: tokens,
  trading,
  orders: trading,
  waitingOrders: trading,
  past: { name: 'Past', description: 'The exact state of a token after any of its events.' },
  fairs: {
    name: 'Fairs',
    description: 'Fairs, which are trading contests (arenas, rooms, cups and sandboxes), and the weekly league.',
  },
  talk,
  follows: talk,
  reports: talk,
  portfolio: { name: 'Portfolio', description: 'Your holdings, net worth and profit.' },
  users,
  stickers: users,
  leaderboard: { name: 'Leaderboard', description: 'Leaderboards of the last six hours and of all time.' },
  search: { name: 'Search', description: 'Find tokens and players by part of their names.' },
  watchlist: { name: 'Watchlist', description: 'Tokens that you starred.' },
  tape: {
    name: 'Tape',
    description: 'The daily game: all players trade the same three minutes of a token’s price history.',
  },
  notices,
  alerts: notices,
  push: notices,
  webhooks: { name: 'Webhooks', description: 'Send events to your URL.' },
  proof: { name: 'Proof', description: 'Check that the market’s sums are exact and that no trade was changed.' },
  keys: { name: 'API keys', description: 'API keys for programs. You need a session to create and revoke keys.' },
  auth: signIn,
  account,
  security: account,
  secondFactor: account,
  passkeys: account,
  uploads: { name: 'Pictures', description: 'Upload profile pictures.' },
  site: { name: 'Site', description: 'The operator’s settings, the market’s constants, and rate limits.' },
  admin: { name: 'Moderation', description: 'Moderation; not in public documents.' },
  live: { name: 'Live', description: 'Live events.' },
} as const satisfies Record<Feature, Tag>

/** Finds the OpenAPI tag for a procedure such as `trading.buy`. */
export function findTag(procedure: string): Tag {
  return tags[procedure.slice(0, procedure.indexOf('.')) as Feature]
}

/** Lists the OpenAPI tags that have an operation, each once. */
export function listTags(procedures: readonly string[]): Tag[] {
  const used = new Set(procedures.map(findTag))
  return [...new Set<Tag>(Object.values(tags))].filter((tag) => used.has(tag))
}
