import { formatMarketCap, formatPrice, formatShare, formatSol, formatWhole } from './index.ts'

/** The data for a notice's text, with amounts as decimal text. */
export interface NoticeFacts {
  readonly kind:
    | ('rug' | 'whale' | 'top3' | 'alert' | 'sticker' | 'buyer' | 'holder' | 'milestone' | 'seal')
    | ('mention' | 'reply' | 'reaction' | 'follower' | 'post' | 'moderation' | 'order' | 'reminder')
  readonly times: number
  readonly token: { readonly id: number; readonly symbol: string; readonly isRugged: boolean } | null
  readonly actor: { readonly id: number; readonly username: string } | null
  readonly seq: number | null
  readonly tokens: string | null
  readonly sol: string | null
  readonly supply: string | null
  readonly rank: number | null
  readonly rankNow: number | null
  readonly alert?: {
    readonly measure: 'price' | 'marketCap' | 'percent'
    readonly value: string
    readonly direction: 'above' | 'below'
    readonly price: string
  } | null
  readonly sticker?: { readonly name: string; readonly rule: string; readonly more: number } | null
  readonly milestone?: { readonly measure: 'marketCap' | 'holders'; readonly value: string } | null
  readonly seal?: { readonly stage: 'hour' | 'minutes' | 'ended' } | null
  readonly post?: {
    readonly id: number
    readonly tokenId: number | null
    readonly fairId: number | null
    readonly parentId: number | null
    readonly text: string
  } | null
  readonly order?: {
    readonly kind: string
    readonly state: string
    readonly cause: string | null
    readonly waitsAt?: string | null
  } | null
  readonly rematchId?: number | null
  readonly quest?: string | null
  readonly windowEnd?: string | null
  readonly fair?: { readonly id: number; readonly name: string } | null
  readonly reminder?: { readonly isTapeOpen: boolean; readonly streak: number; readonly leagueEnds: boolean } | null
  readonly moderation?: { readonly act: string; readonly about: string; readonly isReport: boolean } | null
}

/** A notice's text, and the path that it links to. */
export interface NoticeText {
  readonly title: string
  readonly body: string
  readonly path: string
}

/** Writes a notice's text for the notification list and for push messages. */
export function toNoticeText(notice: NoticeFacts): NoticeText {
  switch (notice.kind) {
    case 'rug':
      return { title: `${getSymbol(notice)} was rugged`, body: describeRug(notice), path: getTokenPath(notice) }
    case 'whale':
      return { title: `A large holder sold ${getSymbol(notice)}`, body: describeSale(notice), path: getMoment(notice) }
    case 'top3':
      return { title: `You lost rank ${notice.rank} in the Top 3`, body: describeRank(notice), path: '/leaderboard' }
    case 'alert':
      return {
        title: `${getSymbol(notice)} ${toDirection(notice)}`,
        body: describeAlert(notice),
        path: getMoment(notice),
      }
    case 'sticker':
      return { title: `New sticker: ${notice.sticker?.name}`, body: describeSticker(notice), path: getAlbum(notice) }
    case 'buyer':
      return {
        title: `${getName(notice.actor)} bought ${getSymbol(notice)}`,
        body: describeBuyer(notice),
        path: getMoment(notice),
      }
    case 'holder':
      return {
        title: `${getSymbol(notice)} has a new holder`,
        body: describeHolder(notice),
        path: getTokenPath(notice),
      }
    case 'milestone':
      return {
        title: describeMilestone(notice),
        body: 'The tokens that you hold do not count.',
        path: getMoment(notice),
      }
    case 'seal':
      return {
        title: describeSealEnd(notice),
        body: describeEnd(notice),
        path: getTokenPath(notice),
      }
    case 'mention':
      if (notice.rematchId != null) return describeRematch(notice)
      if (notice.quest != null)
        return { title: 'Quest done', body: `${notice.quest}. You won 5 points for the league.`, path: '/leaderboard' }
      if (notice.windowEnd != null) return describeWindow(notice.windowEnd, notice)
      if (notice.fair != null && notice.post == null) return describeFair(notice.fair, notice)
      return { ...describeTalk(notice), path: getTalkPath(notice) }
    case 'reply':
    case 'reaction':
    case 'post':
      return { ...describeTalk(notice), path: getTalkPath(notice) }
    case 'follower':
      if (notice.token !== null) return { ...describeLaunch(notice), path: getTokenPath(notice) }
      return { ...describeFollower(notice), path: `/user/${notice.actor?.id}` }
    case 'order':
      return { ...describeOrder(notice), path: getMoment(notice) }
    case 'reminder':
      return describeReminder(notice)
    case 'moderation':
      return { ...describeAct(notice), path: '/settings#talk' }
  }
}

const ORDER_NAMES: Readonly<Record<string, string>> = { buy: 'limit buy', sale: 'limit sell' }
/**
 * Sentences that say why an order was cancelled, by cause. If there is no sentence for a cause, the notice names the
 * cause.
 */
const CANCELLED: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: 'You had less than 0.001 SOL left for the order.',
  INSUFFICIENT_TOKENS: 'You hold fewer tokens than the order would sell.',
  SPENDING_LIMIT_REACHED: 'The order’s API key has reached its spending limit.',
  API_KEY_INVALID: 'The order’s API key was revoked.',
  SEALED: 'Your tokens are sealed.',
  TOKEN_CLOSED: 'The token was rugged.',
  HIDDEN: 'The token is hidden.',
  FAIR_ENDED: 'The fair has ended.',
}

function describeOrder({ order, token }: NoticeFacts): Pick<NoticeText, 'title' | 'body'> {
  const { kind = 'buy', state = 'filled', cause = null, waitsAt = null } = order ?? {}
  const name = `Your ${ORDER_NAMES[kind] ?? kind} for ${token?.symbol ?? 'a token'}`
  if (waitsAt !== null) return { title: `${name} found no buyer yet`, body: describeTrigger(waitsAt) }
  if (state === 'waiting') return { title: `${name} was partly filled`, body: 'The rest of the order stays open.' }
  if (state === 'filled') return { title: `${name} was filled`, body: 'You got your price or a better one.' }
  if (state === 'expired') return { title: `${name} has expired`, body: 'The order was not filled in time.' }
  return { title: `${name} was cancelled`, body: CANCELLED[cause ?? ''] ?? 'The order could not be filled.' }
}

/** Describes a triggered stop order with its minimum price in SOL. */
export function describeTrigger(leastPrice: string): string {
  return `The stop was triggered and is waiting for a buyer at ${formatPrice(leastPrice)} SOL.`
}

/** Describes the start of a fair, or the player's result at its end. */
function describeFair({ id, name }: NonNullable<NoticeFacts['fair']>, { rank, sol }: NoticeFacts): NoticeText {
  const path = `/fairs/${id}`
  if (sol === null) return { title: `${name} has started`, body: 'Trade until the bell rings.', path }
  const place = rank === null ? 'You are not ranked.' : `Your rank is ${rank}.`
  return {
    title: `${name} has ended`,
    body: `${place} Your score is ${formatSol(sol, 2)} SOL.`,
    path,
  }
}

const PLACES = ['1st', '2nd', '3rd']
const WINDOW_MS = 6 * 3_600_000

/** Describes a rank in a giveaway window, which lasts six hours. */
function describeWindow(end: string, { rank, sol }: NoticeFacts): NoticeText {
  const toHour = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const span = `${toHour(Date.parse(end) - WINDOW_MS)}–${toHour(Date.parse(end))} UTC`
  return {
    title: `You finished ${PLACES[(rank ?? 1) - 1]} in the giveaway window`,
    body: `Your profit in the window ${span} was ${formatSol(sol ?? '0', 2)} SOL.`,
    path: '/leaderboard',
  }
}

function describeTalk(notice: NoticeFacts): Pick<NoticeText, 'title' | 'body'> {
  const { kind, times, token, fair } = notice
  const name = getName(notice.actor)
  const place = token !== null ? `${token.symbol}’s discussion` : (fair?.name ?? 'a fair')
  const one: Readonly<Record<string, string>> = {
    mention: `${name} mentioned you in ${place}`,
    reply: `${name} replied to you in ${place}`,
    reaction: `${name} reacted to your post in ${place}`,
    post: `${name} wrote about ${getSymbol(notice)}`,
  }
  const more: Readonly<Record<string, string>> = {
    reply: `New replies to you in ${place}`,
    reaction: 'New reactions to your posts',
  }
  const title = (times > 1 && more[kind]) || (one[kind] ?? '')
  return { title, body: notice.post ? quote(notice.post.text) : '' }
}

const QUOTE_MAX = 140

function quote(text: string): string {
  const letters = [...text]
  if (letters.length === 0) return 'This post is no longer visible.'
  return `“${letters.length > QUOTE_MAX ? `${letters.slice(0, QUOTE_MAX - 1).join('')}…` : text}”`
}

/** Returns the path of a post on its page. A reply's path includes the post to which it replies. */
function getTalkPath({ post }: NoticeFacts): string {
  if (post == null) return '/'
  const page = post.tokenId === null ? `/fairs/${post.fairId}` : `/token/${post.tokenId}`
  return `${page}#post-${post.parentId === null ? '' : `${post.parentId}-`}${post.id}`
}

/** Sentences that say how a moderator decided about a report. */
const OUTCOMES: Readonly<Record<string, string>> = {
  dismiss: 'A moderator found nothing wrong.',
  release: 'A moderator found nothing wrong.',
  hide: 'A moderator hid what you reported.',
  delete: 'A moderator deleted what you reported.',
  warn: 'The author was warned.',
  mute: 'The author cannot post for a while.',
  suspend: 'The author is suspended.',
}

function describeAct({ moderation }: NoticeFacts): Pick<NoticeText, 'title' | 'body'> {
  const { act, about, isReport } = moderation ?? { act: '', about: 'post', isReport: true }
  if (isReport)
    return { title: `We checked your report of a ${about}`, body: OUTCOMES[act] ?? 'A moderator has made a decision.' }
  const [shown, back] = [`Your ${about} is visible now`, 'A moderator reversed a decision about you']
  const good: Readonly<Record<string, string>> = {
    release: shown,
    restore: shown,
    unhide: shown,
    undo: back,
    unwarn: back,
    unsuspend: 'You are no longer suspended',
  }
  const titles: Readonly<Record<string, string>> = {
    hide: `A moderator hid your ${about}`,
    delete: `A moderator deleted your ${about}`,
    warn: 'A moderator warned you',
    mute: 'A moderator muted you',
    suspend: 'A moderator suspended you',
    'refuse-appeal': 'Your appeal was refused',
  }
  const end = good[act]
  const body = act === 'unsuspend' ? 'You can use everything again.' : 'A moderator found nothing wrong.'
  if (end !== undefined) return { title: end, body }
  return {
    title: titles[act] ?? 'A moderator made a decision about you',
    body: 'See the reason and how to appeal in Settings.',
  }
}

function describeFollower({ actor, times }: NoticeFacts): Pick<NoticeText, 'title' | 'body'> {
  if (times > 1) return { title: 'You have new followers', body: `Your latest follower is ${getName(actor)}.` }
  return { title: `${getName(actor)} follows you`, body: 'Followers see your launches, large trades and posts.' }
}

/** Describes a launch by a player whom the recipient follows. With several launches, the notice's token is the latest. */
function describeLaunch(notice: NoticeFacts): Pick<NoticeText, 'title' | 'body'> {
  const { actor, times } = notice
  const launched = times > 1 ? `${times} tokens` : getSymbol(notice)
  const latest = times > 1 ? `The latest is ${getSymbol(notice)}. ` : ''
  return { title: `${getName(actor)} launched ${launched}`, body: `${latest}You follow this player.` }
}

function describeRematch({ actor, rematchId }: NoticeFacts): NoticeText {
  return {
    title: `${getName(actor)} wants a rematch`,
    body: 'The room has the same settings. Enter it to play again.',
    path: `/fairs/${rematchId}`,
  }
}

/**
 * Describes a daily reminder. The reminder links to the daily game, or to the league if the player has already played.
 */
export function describeReminder({ reminder }: Pick<NoticeFacts, 'reminder'>): NoticeText {
  const { isTapeOpen = true, streak = 0, leagueEnds = false } = reminder ?? {}
  const league = 'Your league ends at midnight UTC.'
  if (!isTapeOpen) return { title: 'Your league ends today', body: league, path: '/leaderboard' }
  const tape =
    streak > 0
      ? `Your streak of ${streak} ${streak === 1 ? 'day' : 'days'} ends at midnight UTC.`
      : 'The tape takes three minutes.'
  return {
    title: 'You have not played today’s tape yet',
    body: leagueEnds ? `${tape} ${league}` : tape,
    path: '/tape',
  }
}

function describeSealEnd(notice: NoticeFacts): string {
  const symbol = getSymbol(notice)
  if (notice.seal?.stage === 'ended') return `${symbol}’s seal has ended`
  return notice.seal?.stage === 'minutes' ? `${symbol}’s seal ends in five minutes` : `${symbol}’s seal ends in an hour`
}

function describeEnd({ actor, seal }: NoticeFacts): string {
  return seal?.stage === 'ended'
    ? `${getName(actor)} can pull the rug again.`
    : `After that, ${getName(actor)} can pull the rug again.`
}

function describeRug({ actor, sol }: NoticeFacts): string {
  return `${getName(actor)} took ${formatSol(sol ?? '0', 6)} SOL and closed the pool. Your tokens are now worth nothing.`
}

function describeSale({ actor, times, tokens, supply, sol }: NoticeFacts): string {
  const share = formatShare(tokens ?? '0', supply ?? '0')
  const sold = `${getName(actor)}, who held more than 5%, sold ${share} of the supply for ${formatSol(sol ?? '0', 2)} SOL`
  return times === 1 ? `${sold}.` : `${sold} in ${times} sales.`
}

function describeRank({ actor, rankNow }: NoticeFacts): string {
  const now = rankNow === null ? 'You are no longer in the Top 3.' : `Your rank is now ${rankNow}.`
  return `${getName(actor)} passed you. ${now}`
}

function describeAlert({ alert, token }: NoticeFacts): string {
  if (alert == null) return ''
  if (token?.isRugged === true && alert.direction === 'below') return 'The token was rugged, so its price is 0.'
  return `Your alert: ${describeAlertValue(alert)}.`
}

/** Returns the path of a player's stickers. */
function getAlbum({ actor }: NoticeFacts): string {
  return actor === null ? '/dashboard' : `/user/${actor.id}#stickers`
}

function describeSticker({ sticker }: NoticeFacts): string {
  if (sticker == null) return ''
  const { rule, more } = sticker
  const done = `Done: ${rule}`
  return more === 0 ? done : `${done} You also earned ${more} more ${more === 1 ? 'sticker' : 'stickers'}.`
}

function describeBuyer({ sol }: NoticeFacts): string {
  return `The first buyer of your token paid ${formatSol(sol ?? '0', 2)} SOL.`
}

function describeHolder({ actor, tokens, supply }: NoticeFacts): string {
  return `${getName(actor)} holds ${formatShare(tokens ?? '0', supply ?? '0')} of your token.`
}

function describeMilestone(notice: NoticeFacts): string {
  const { measure, value } = notice.milestone ?? { measure: 'holders', value: '0' }
  if (measure === 'holders') return `${getSymbol(notice)} has ${formatWhole(value)} holders`
  return `${getSymbol(notice)} reached a market cap of ${formatMarketCap(value)}`
}

/** Describes the threshold of an alert, such as `market cap of 40 SOL`. */
export function describeAlertValue({ measure, value, price }: NonNullable<NoticeFacts['alert']>): string {
  if (measure === 'price') return `${formatPrice(price)} SOL per token`
  if (measure === 'marketCap') return `market cap of ${formatSol(value, 2)} SOL`
  const sign = value.startsWith('-') ? '−' : '+'
  return `${sign}${value.replace(/^[+-]/, '')}%, ${formatPrice(price)} SOL per token`
}

function toDirection({ alert }: NoticeFacts): string {
  return alert?.direction === 'below' ? 'fell to your price' : 'rose to your price'
}

function getSymbol({ token }: NoticeFacts): string {
  return token?.symbol ?? 'A token'
}

function getName(actor: NoticeFacts['actor']): string {
  return actor?.username ?? 'Someone'
}

function getTokenPath({ token }: NoticeFacts): string {
  return token === null ? '/' : `/token/${token.id}`
}

/** Returns the path of the token's page as it was when the notice was created. */
function getMoment(notice: NoticeFacts): string {
  const path = getTokenPath(notice)
  return notice.token === null || notice.seq === null ? path : `${path}?at=${notice.seq}`
}
