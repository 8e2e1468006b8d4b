import { createCallsLink } from '@papermoon/client/calls'
import { createProofOfWorkFetch } from '@papermoon/client/proof-of-work-fetch'
import type { AppInputs, AppOutputs, AppRouter } from '@papermoon/contract/router'
import { createTRPCClient } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { noteWork } from './browser-check.ts'
import { queryClient } from './query-client.ts'
import { noteServerTime } from './server-now.ts'

export type Inputs = AppInputs
export type Token = AppOutputs['tokens']['get']
export type Trade = AppOutputs['tokens']['trades'][number]
export type CardFigures = AppOutputs['tokens']['figures'][number]
export type TapeEntry = AppOutputs['tokens']['tape'][number]
export type Holder = AppOutputs['tokens']['holders'][number]
export type MarkedTrade = AppOutputs['tokens']['markedTrades'][number]
export type RugStory = AppOutputs['tokens']['rugStory']
export type Chart = AppOutputs['tokens']['chart']
export type Candle = Chart['candles'][number]
export type Timeframe = Chart['timeframe']
export type CurrentUser = NonNullable<AppOutputs['auth']['me']>
export type Position = AppOutputs['trading']['position']
export type DepthBucket = AppOutputs['waitingOrders']['depth']['buys'][number]
export type WaitingOrder = AppOutputs['waitingOrders']['list']['orders'][number]
export type UserId = CurrentUser['id']
export type Winner = AppOutputs['leaderboard']['get'][number]
export type LeaderboardRank = AppOutputs['leaderboard']['rank']
export type LaunchRecord = AppOutputs['users']['launchRecord']
export type Results = AppOutputs['users']['results']
export type ClosedPosition = NonNullable<AppOutputs['users']['closedPosition']['position']>
export type Sticker = AppOutputs['stickers']['list']['stickers'][number]
export type PlayerTrade = AppOutputs['users']['trades'][number]
export type Profile = AppOutputs['users']['profile']
export type Dashboard = AppOutputs['portfolio']['dashboard']
export type PortfolioEntry = AppOutputs['portfolio']['get'][number]
export type PortfolioSummary = AppOutputs['portfolio']['summary']
export type Welcome = AppOutputs['portfolio']['welcome']
export type NoticeList = AppOutputs['notices']['list']
export type Notice = NoticeList['notices'][number] | NoticeList['news'][number]
export type NoticeKind = Notice['kind']
export type NewsKind = NoticeList['news'][number]['kind']
export type PriceAlert = AppOutputs['alerts']['list'][number]
export type Passkey = AppOutputs['passkeys']['list']['passkeys'][number]
export type AccountEvent = AppOutputs['account']['events']['events'][number]
export type ApiKey = AppOutputs['keys']['list'][number]
export type Webhook = AppOutputs['webhooks']['list'][number]
export type EmailState = AppOutputs['security']['email']
export type Session = AppOutputs['security']['sessions'][number]
export type AuditSummary = AppOutputs['proof']['summary']
export type PastMoment = AppOutputs['past']['moment']
export type PastSteps = AppOutputs['past']['steps']
export type PastBag = AppOutputs['past']['bag']
export type Tape = AppOutputs['tape']['today']
export type TapePlay = NonNullable<Tape['play']>
export type TapeResult = AppOutputs['tape']['result']
export type Fair = AppOutputs['fairs']['get']
export type FairList = AppOutputs['fairs']['list']
export type League = AppOutputs['fairs']['league']
export type FairRanking = AppOutputs['fairs']['ranking']
export type FairEntrant = FairRanking['entrants'][number]
export type FairReplay = AppOutputs['fairs']['replay']
export type FairStory = AppOutputs['fairs']['story']
export type FairBag = AppOutputs['fairs']['bag']
export type FairMarketToken = AppOutputs['fairs']['tokens'][number]
export type FairTrade = AppOutputs['fairs']['trades']['trades'][number]
export type Court = AppOutputs['talk']['court']
export type Post = AppOutputs['talk']['list']['posts'][number]
export type Follows = AppOutputs['follows']['list']
export type FeedItem = AppOutputs['follows']['feed'][number]
export type OwnAct = AppOutputs['reports']['acts'][number]
export type OwnReport = AppOutputs['reports']['mine'][number]
export type Announcement = NonNullable<AppOutputs['site']['settings']['announcement']>
export type BoundInForce = AppOutputs['admin']['bounds'][number]
export type LogEntry = AppOutputs['admin']['log']['entries'][number]
export type FoundPlayer = AppOutputs['admin']['findPlayers'][number]
export type ModerationCase = AppOutputs['admin']['cases']['cases'][number]
export type TokenId = Token['id']

/** An item of the market feed: an event with the cursor from which to resume. */
type Tracked = AppOutputs['live']['market'] extends AsyncIterable<infer Item> ? Item : never

export type StreamEvent = Tracked extends { data: infer Event } ? Event : never

/** An event of the market feed. Events of a fair arrive only if the subscription names that fair. */
export type MarketEvent = Exclude<StreamEvent, { type: 'fair' }>

export type TradeEvent = Extract<MarketEvent, { type: 'trade' }>

/**
 * The client for the API's queries and mutations. The client never batches `auth.me`, because the shell waits for that
 * response. For subscriptions, use `openSocket`.
 */
export function createClient(send: typeof fetch) {
  return createTRPCClient<AppRouter>({ links: [createCallsLink({ url: '/trpc', fetch: send, alone: ['auth.me'] })] })
}

// Read the global `fetch` at each call, because tests replace it.
export const client = createClient(
  createProofOfWorkFetch((url, init) => fetch(url, init).then(noteServerTime), noteWork),
)

/** React hooks for the API. */
export const trpc = createTRPCReact<AppRouter>()

/** The cache of the API's queries, for code outside components. */
export const cache = createTRPCQueryUtils<AppRouter>({ queryClient, client })
