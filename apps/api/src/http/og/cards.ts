import { Decimal, solText } from '@papermoon/amm'
import type { Fair, FairEntrant } from '@papermoon/contract/fairs'
import { FOREVER } from '@papermoon/contract/market-events'
import type { AppOutputs } from '@papermoon/contract/router'
import { formatChange, formatGain, formatMarketCap, formatSol, getSign, priceParts } from '@papermoon/format'
import type { BoardCard, HomeCard, PlayerCard, StickerCard, TokenCard, WinCard } from '../../features/share/card.ts'

type Token = AppOutputs['tokens']['get']
type Chart = AppOutputs['tokens']['chart']
type Profile = AppOutputs['users']['profile']
type LaunchRecord = AppOutputs['users']['launchRecord']
type Closed = NonNullable<AppOutputs['users']['closedPosition']['position']>
type Sticker = AppOutputs['stickers']['list']['stickers'][number]
type Board = AppOutputs['leaderboard']['get']

const HOLDINGS_SHOWN = 4
const SOL_DECIMALS = 2
/** Number of decimals of a point on the price line. This precision is finer than a pixel. */
const SHARE_DECIMALS = 3

/** Creates a token's card with a line of its last 24 hours. `time` is now, or an ISO text for a past time. */
export function tokenCard(token: Token, chart: Chart, time: Date | string): TokenCard {
  return {
    kind: 'token',
    emoji: token.emoji,
    name: token.name,
    symbol: token.symbol,
    creator: toMarkedName(token.creator),
    price: priceParts(token.currentPrice),
    change: { text: formatChange(token.priceChange24h), sign: getSign(token.priceChange24h) },
    marketCap: formatMarketCap(token.marketCap),
    line: toLinePoints([chart.price24hAgo, ...chart.candles.map((candle) => candle.close), token.currentPrice]),
    isRugged: token.ruggedAt !== null,
    seal: time instanceof Date ? sealText(token, time) : null,
    moment: time instanceof Date ? null : Object.values(formatMomentTime(time)).join(', '),
  }
}

/** Returns a text such as `Sealed until 27 Nov 2026, 14:05:00 UTC`. Returns null if the token is not sealed. */
export function sealText({ seal, ruggedAt }: Token, now: Date): string | null {
  const until = seal?.liquidityUntil ?? null
  if (until === null || ruggedAt !== null || Date.parse(until) <= now.getTime()) return null
  return until === FOREVER ? 'Sealed for ever' : `Sealed until ${Object.values(formatMomentTime(until)).join(', ')}`
}

/** Scales prices from 0 (the lowest) to 1 (the highest). If all prices are equal, they become 0.5. */
function toLinePoints(prices: readonly string[]): number[] {
  const exact = prices.map((price) => new Decimal(price))
  const lowest = Decimal.min(...exact)
  const span = Decimal.max(...exact).sub(lowest)
  // A float is exact enough here, because it is a position in a picture, not money.
  return exact.map((price) =>
    span.isZero() ? 0.5 : price.sub(lowest).div(span).toDecimalPlaces(SHARE_DECIMALS).toNumber(),
  )
}

export function playerCard({ user, holdings, createdTokens }: Profile, record: LaunchRecord): PlayerCard {
  const value = holdings.reduce((sum, holding) => sum.add(holding.totalValue), new Decimal(0))
  const shown = holdings.slice(0, HOLDINGS_SHOWN)
  return {
    kind: 'player',
    username: user.username,
    isBot: user.isBot,
    emoji: user.emoji,
    pictureUrl: user.profilePictureUrl,
    balance: formatSol(user.solBalance, SOL_DECIMALS),
    portfolio: formatSol(value.toFixed(), SOL_DECIMALS),
    created: String(createdTokens.length),
    stamp: formatVerdicts(record),
    holdings: shown.map(({ emoji, tokenSymbol }) => ({ emoji, symbol: tokenSymbol })),
    more: holdings.length - shown.length,
  }
}

function formatVerdicts({ fairGame, scoundrel }: LaunchRecord): string | null {
  const found = Object.entries({ Scoundrel: scoundrel, 'Fair game': fairGame }).filter(([, count]) => count > 0)
  return found.length === 0 ? null : found.map(([verdict, count]) => `${verdict} ×${count}`).join(' · ')
}

/** Creates the leaderboard's card, without wallets. */
export function boardCard(board: Board): BoardCard {
  return {
    kind: 'board',
    winners: board.map(({ username, totalPnL }) => ({ username, profit: formatGain(totalPnL, SOL_DECIMALS) })),
  }
}

/** Creates the card of a closed position. */
export function winCard({ user, token, profitPercent, profit, paid, received, isRugged }: Closed): WinCard {
  return {
    kind: 'win',
    emoji: token.emoji,
    name: token.name,
    symbol: token.symbol,
    by: `${isRugged ? 'rugged on' : 'closed by'} ${toMarkedName(user)}`,
    movement: { text: formatChange(profitPercent), sign: getSign(profitPercent) },
    figures: [
      { label: getSign(profitPercent) === -1 ? 'Loss' : 'Profit', figure: formatGain(profit, SOL_DECIMALS) },
      { label: 'Paid', figure: formatSol(paid, SOL_DECIMALS) },
      { label: 'Received', figure: formatSol(received, SOL_DECIMALS) },
    ],
  }
}

const MEDALS = ['🥇', '🥈', '🥉']

/** Creates the card of a player’s result in a fair. */
export function resultCard({ name, stake }: Fair, entrant: FairEntrant, total: number): WinCard {
  const { score, trades, place, isRanked, medal, isPaper } = entrant
  const gain = solText(new Decimal(score).sub(stake))
  return {
    kind: 'win',
    emoji: (isPaper ? undefined : MEDALS[(medal ?? 0) - 1]) ?? '🎡',
    name,
    symbol: isRanked ? `#${place} of ${total}` : 'not ranked',
    by: `played by ${toMarkedName(entrant)}`,
    movement: { text: `${formatGain(gain, SOL_DECIMALS)} SOL`, sign: getSign(gain) },
    figures: [
      { label: 'Score', figure: formatSol(score, SOL_DECIMALS) },
      { label: 'Stake', figure: formatSol(stake, SOL_DECIMALS) },
      { label: 'Trades', figure: String(trades), unit: '' },
    ],
  }
}

/** Creates the card of a sticker that a player earned. */
export function stickerCard({ emoji, name, rule }: Sticker, user: Profile['user']): StickerCard {
  return { kind: 'sticker', emoji, name, rule, username: toMarkedName(user) }
}

export const homeCard: HomeCard = { kind: 'home' }

/**
 * Returns a player's name for texts without badges, such as link previews and pictures. For a bot, the text also says
 * that it is a bot.
 */
export function toMarkedName({ username, isBot }: { readonly username: string; readonly isBot: boolean }): string {
  return isBot ? `${username} (bot)` : username
}

/** Matches a sequence number in a URL: a safe integer without sign or leading zero. */
const SEQ = /^(?:0|[1-9]\d{0,14})$/

/** Returns the sequence number from the query parameter `at`. Returns null unless there is exactly one valid number. */
export function parseAt(query: unknown): number | null {
  const { at } = Object(query) as { at?: unknown }
  return typeof at === 'string' && SEQ.test(at) ? Number(at) : null
}

const parts = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const dateFormat = new Intl.DateTimeFormat('en-GB', parts)
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })

/** Formats the date and time in UTC for pages and pictures, because the readers' time zone is unknown. */
export function formatMomentTime(iso: string): { readonly date: string; readonly time: string } {
  const moment = new Date(iso)
  return { date: dateFormat.format(moment), time: `${timeFormat.format(moment)} UTC` }
}
