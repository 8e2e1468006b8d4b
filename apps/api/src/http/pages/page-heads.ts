import { Decimal } from '@papermoon/amm'
import type { AppOutputs } from '@papermoon/contract/router'
import { formatChange, formatMarketCap, formatPrice, formatSol, formatUsdHint, priceLabel } from '@papermoon/format'
import { counted } from '../../lib/text.ts'
import { formatMomentTime, sealText, toMarkedName } from '../og/cards.ts'
import { createGuideText } from './guide-documents.ts'
import type { PageHead } from './page-shell.ts'

const HOME_PICTURE = { image: '/og/home.png', imageAlt: 'A paper moon above the words “trade like a millionaire”' }
const ABOUT =
  'Trade like a millionaire. A simulated launchpad with off-chain AMM trading and real-time charts: play money, no blockchain.'
/** Max length of a description in characters. Link previews truncate longer descriptions. */
const DESCRIPTION_MAX = 280

const fixed = (path: string, name: string, description: string, isUnlisted = false): [string, PageHead] => [
  path,
  { title: titled(name), description, path, isUnlisted, ...HOME_PICTURE },
]

/** HTML heads of those screens that show no changing numbers, by path. */
export const fixedHeads: ReadonlyMap<string, PageHead> = new Map([
  fixed('/', '', ABOUT),
  fixed('/docs', 'Docs', 'How Papermoon works: play money, bonding pools, fees, rug pulls and the leaderboard.'),
  fixed(
    '/developers',
    'Developers',
    'Write a bot, a notifier or a chart for Papermoon with an open API, a live event stream and ready-to-run code.',
  ),
  fixed(
    '/proof',
    'Proof',
    'Papermoon’s books are open to everyone. Check every lamport and every trade in your own browser.',
  ),
  fixed(
    '/tape',
    'Today’s tape',
    'Watch three minutes of a real token’s past, then buy once and sell once. There is a new tape every day.',
  ),
  fixed(
    '/fairs',
    'Fairs',
    'Play in arenas and rooms. Everyone starts with the same play money, and a bell ends the trading.',
  ),
  fixed('/launch', 'Launch Token', 'Launch a meme token with an instant pool for 0.02 simulated SOL.'),
  fixed('/auth', 'Login / Register', 'Register and get 100 simulated SOL to play with.'),
  fixed('/forgot-password', 'Forgot password', ABOUT, true),
  fixed('/reset-password', 'Reset password', ABOUT, true),
  fixed('/verify-email', 'Verify your email', ABOUT, true),
  fixed('/settings', 'Settings', ABOUT, true),
  fixed('/dashboard', 'Dashboard', ABOUT, true),
  fixed('/portfolio', 'Portfolio', ABOUT, true),
  fixed('/following', 'Following', ABOUT, true),
  // '/admin' has no head, because everyone except moderators gets 404 there.
])

/** Returns the head of the guide's screen, which contains the guide's text. */
export function guideHead(head: PageHead): PageHead {
  guideText ??= createGuideText()
  return { ...head, withoutScripts: guideText }
}
let guideText: string | undefined

export function tokenHead(token: AppOutputs['tokens']['get'], now: Date): PageHead {
  const { id, name, symbol, seq, priceChange24h, marketCap, currentPrice, creator } = token
  const price = formatPrice(currentPrice)
  const figures =
    token.ruggedAt === null
      ? `${symbol} costs ${price} SOL, ${formatChange(priceChange24h)} in 24 hours. Market cap ${formatMarketCap(marketCap)}.`
      : `${symbol} was rugged by ${toMarkedName(creator)}, so its price is 0.`
  return {
    title: titled(`${priceLabel(currentPrice)} ${symbol} · ${name}`),
    description: shortened(token.description === null ? `${figures} Play money.` : `${figures} ${token.description}`),
    path: `/token/${id}`,
    // The picture's URL changes with each trade, because some sites cache pictures by URL.
    image: `/og/token/${id}.png?v=${seq}`,
    imageAlt: [`${name} (${symbol}): price, change over 24 hours and market cap`, sealText(token, now) ?? []]
      .flat()
      .join('. '),
    // The page of a rugged token shows another first view.
    ...(token.ruggedAt === null && { words: toWords(token) }),
  }
}

/** Returns the words in a token's first view, which the browser shows before any script has run. */
function toWords({ emoji, name, symbol, creator, currentPrice, marketCap }: AppOutputs['tokens']['get']) {
  return {
    emoji,
    name,
    symbol,
    creator: creator.username,
    price: priceLabel(currentPrice),
    perMillion: formatUsdHint(new Decimal(currentPrice).mul(1_000_000).toFixed()),
    marketCap: formatMarketCap(marketCap),
    capInSol: formatSol(marketCap, 2),
  }
}

/** Returns the head of a token's page at a past time. */
export function momentHead({ seq, time, event, token }: TokenMoment): PageHead {
  const { id, name, symbol } = token
  const at = formatMomentTime(time)
  const price = formatPrice(token.currentPrice)
  const figures =
    token.ruggedAt === null
      ? `${symbol} cost ${price} SOL, ${formatChange(token.priceChange24h)} in 24 hours. Market cap ${formatMarketCap(token.marketCap)}.`
      : `${symbol}’s price fell to 0.`
  return {
    title: titled(`${priceLabel(token.currentPrice)} ${symbol} · ${name} on ${at.date}`),
    description: shortened(`${at.date}, ${at.time}: ${describeEvent(event, symbol)} ${figures} Play money.`),
    path: `/token/${id}?at=${seq}`,
    image: `/og/token/${id}.png?at=${seq}`,
    imageAlt: `${name} (${symbol}) on ${at.date}, ${at.time}: price, change over 24 hours and market cap`,
    // Search engines should list only the token's current page. A token has as many pages of its past as it has trades.
    isUnlisted: true,
    ...(token.ruggedAt === null && { words: toWords(token) }),
  }
}

type TokenMoment = AppOutputs['past']['moment']

function describeEvent(event: TokenMoment['event'], symbol: string): string {
  if (event.type === 'launch') return `${toMarkedName(event)} launched ${symbol}.`
  if (event.type === 'rug') return `${toMarkedName(event)} rugged ${symbol} and took ${formatSol(event.amount, 2)} SOL.`
  const { side, solAmount } = event.trade
  return `${toMarkedName(event.trade)} ${side === 'buy' ? 'bought' : 'sold'} ${symbol} for ${formatSol(solAmount, 2)} SOL.`
}

/** Returns the head of a player's page. */
export function userHead({ user, holdings, createdTokens }: AppOutputs['users']['profile']): PageHead {
  const counts = `holds ${counted(holdings.length, 'token')} and launched ${createdTokens.length}`
  return {
    title: titled(user.username),
    description: `${toMarkedName(user)} has ${formatSol(user.solBalance, 2)} SOL, ${counts} on Papermoon. Play money.`,
    path: `/user/${user.id}`,
    image: `/og/user/${user.id}.png`,
    imageAlt: `${user.username}: balance, portfolio value and tokens`,
  }
}

/** Returns the head of a fair's page. For a room, the head says only that this is a fair. */
export function fairHead(id: number, fair: AppOutputs['fairs']['get'] | null): PageHead {
  return {
    title: titled(fair?.name ?? 'Come to the fair'),
    description: `${fair === null ? '' : `${counted(fair.entrants, 'player')}, ${fair.stake} SOL each. `}Everyone starts with the same SOL, and a bell ends the trading at a secret moment. Play money.`,
    path: `/fairs/${id}`,
    ...(fair === null && { isUnlisted: true }),
    ...HOME_PICTURE,
  }
}

export function boardHead(board: AppOutputs['leaderboard']['get']): PageHead {
  const names = board.map(({ username }, index) => `${index + 1}. ${username}`)
  const who = names.length === 0 ? 'No winners yet. Be the first!' : `${names.join(', ')}.`
  return {
    title: titled('Leaderboard'),
    description: shortened(`The largest profits of the last 6 hours. ${who}`),
    path: '/leaderboard',
    image: '/og/leaderboard.png',
    imageAlt: 'The three best traders of the last 6 hours',
  }
}

/** Returns the head of a screen whose data cannot be read at the moment. */
export function plainHead(): PageHead {
  return { title: titled(''), description: ABOUT, path: null, ...HOME_PICTURE }
}

/** Returns the head of a page that was not found; `name` is the heading of the screen. */
export function missingHead(name: string): PageHead {
  return { title: titled(name), description: ABOUT, path: null, isUnlisted: true, ...HOME_PICTURE }
}

/** Returns the browser tab's title, as in the web app. */
function titled(name: string): string {
  return name === '' ? 'Papermoon' : `${name} · Papermoon`
}

function shortened(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')]
  return characters.length <= DESCRIPTION_MAX
    ? characters.join('')
    : `${characters.slice(0, DESCRIPTION_MAX).join('')}…`
}
