import { contract, type Feature } from '@papermoon/contract'
import type { FeatureRouter } from '@papermoon/contract/router'
import { getPageStart } from '@papermoon/contract/shapes'
import { tracked } from '@trpc/server'
import {
  accountRouter,
  authRouter,
  keysRouter,
  passkeysRouter,
  secondFactorRouter,
  securityRouter,
} from './features/account/router.ts'
import { fairsAdminParts, fairsRouter } from './features/fairs/router.ts'
import { readFeed } from './features/follows/feed.ts'
import {
  block,
  follow,
  getFollowers,
  getFollowing,
  setHidesFollows,
  unblock,
  unfollow,
} from './features/follows/follow.ts'
import { getAllTimeBoard, getCreatorsBoard, getRugBoard } from './features/leaderboard/boards/get-boards.ts'
import { getBotsLeague } from './features/leaderboard/bots-league.ts'
import { getLeaderboard } from './features/leaderboard/get.ts'
import { getRank } from './features/leaderboard/rank.ts'
import { liveRouter, watchOrders, watchTalk } from './features/live/router.ts'
import { getInForce } from './features/moderation/public.ts'
import { adminParts, reportsRouter } from './features/moderation/router.ts'
import { alertsRouter, noticesRouter, pushRouter, webhooksRouter } from './features/notices/router.ts'
import { getDashboard } from './features/portfolio/dashboard.ts'
import { getPortfolio, getPortfolioSummary } from './features/portfolio/get.ts'
import { getHistory, readNetWorth } from './features/portfolio/history/history.ts'
import { getWelcome } from './features/portfolio/welcome.ts'
import { getChain, getCheckpoints, getSeals, headsAt, latestHeads } from './features/proof/chain.ts'
import { getSummary } from './features/proof/summary.ts'
import { searchEverything } from './features/search/search-everything.ts'
import { getParameters } from './features/site/parameters.ts'
import { listStickers } from './features/stickers/list-stickers.ts'
import { getCourt, vote } from './features/talk/court.ts'
import { listPosts, listReplies, react } from './features/talk/list-posts.ts'
import { moderatePost } from './features/talk/moderate-post.ts'
import { deletePost, editPost, write } from './features/talk/write-post.ts'
import { buyOnTape, followPlay, playTape, sellOnTape } from './features/tape/play.ts'
import { getTape, getTapeResult } from './features/tape/reveal.ts'
import { historyRouter, pastRouter, tokensRouter } from './features/tokens/router.ts'
import { ordersRouter, tradingRouter, waitingOrdersProcedures } from './features/trading/router.ts'
import { createUpload } from './features/uploads/receive-upload.ts'
import { setProfilePicture } from './features/uploads/set-profile-picture.ts'
import { getClosedPosition, getClosedWin } from './features/users/closed-win.ts'
import { getHouseBot } from './features/users/house-bot.ts'
import { getLaunchRecord } from './features/users/launch-record.ts'
import { getProfile } from './features/users/profile.ts'
import { getResults } from './features/users/results.ts'
import { getPlayerTrades } from './features/users/trades.ts'
import { addStar, getWatchlist, mergeStars, removeStar } from './features/watchlist/change-watchlist.ts'
import { implement, router } from './trpc.ts'

const { follows } = contract

const followsRouter = router({
  list: implement(follows.list, ({ ctx }) => getFollowing(ctx.app, ctx.userId)),
  follow: implement(follows.follow, ({ ctx, input }) => follow(ctx.app, ctx.userId, input)),
  unfollow: implement(follows.unfollow, ({ ctx, input }) => unfollow(ctx.app, ctx.userId, input)),
  block: implement(follows.block, ({ ctx, input }) => block(ctx.app, ctx.userId, input.userId)),
  unblock: implement(follows.unblock, ({ ctx, input }) => unblock(ctx.app, ctx.userId, input.userId)),
  setHidden: implement(follows.setHidden, ({ ctx, input }) => setHidesFollows(ctx.app, ctx.userId, input.hidesFollows)),
  of: implement(follows.of, ({ ctx, input }) => getFollowers(ctx, ctx.userId, input.userId)),
  feed: implement(follows.feed, ({ ctx, input }) =>
    readFeed(ctx, ctx.userId, { ...input, before: input.cursor ?? input.before }),
  ),
})

const leaderboardRouter = router({
  bots: implement(contract.leaderboard.bots, ({ ctx }) => getBotsLeague(ctx.app)),
  allTime: implement(contract.leaderboard.allTime, ({ ctx }) => getAllTimeBoard(ctx.app)),
  creators: implement(contract.leaderboard.creators, ({ ctx }) => getCreatorsBoard(ctx.app)),
  rugs: implement(contract.leaderboard.rugs, ({ ctx }) => getRugBoard(ctx.app)),
  rank: implement(contract.leaderboard.rank, ({ ctx, input }) => getRank(ctx.app, input.userId)),
  get: implement(contract.leaderboard.get, ({ ctx }) => getLeaderboard(ctx.app)),
})

const portfolioRouter = router({
  welcome: implement(contract.portfolio.welcome, ({ ctx, input }) => getWelcome(ctx.app, ctx.userId, input)),
  get: implement(contract.portfolio.get, ({ ctx, input }) => getPortfolio(ctx.app, ctx.userId, input)),
  summary: implement(contract.portfolio.summary, ({ ctx }) => getPortfolioSummary(ctx.app, ctx.userId)),
  netWorth: implement(contract.portfolio.netWorth, ({ ctx }) => readNetWorth(ctx.app, ctx.userId)),
  history: implement(contract.portfolio.history, ({ ctx, input }) => getHistory(ctx, ctx.userId, input)),
  dashboard: implement(contract.portfolio.dashboard, ({ ctx }) => getDashboard(ctx.app, ctx.userId)),
})

const proofRouter = router({
  summary: implement(contract.proof.summary, ({ ctx }) => getSummary(ctx.app)),
  chain: implement(contract.proof.chain, ({ ctx, input }) => getChain(ctx, { ...input, after: getPageStart(input) })),
  checkpoints: implement(contract.proof.checkpoints, ({ ctx, input }) => getCheckpoints(ctx, input.id)),
  seals: implement(contract.proof.seals, ({ ctx, input }) => getSeals(ctx, input.id, getPageStart(input))),
  heads: implement(contract.proof.heads, ({ ctx, input }) =>
    latestHeads(ctx.app, { ...input, after: getPageStart(input) }),
  ),
  headsAt: implement(contract.proof.headsAt, ({ ctx, input }) =>
    headsAt(ctx.app, new Date(input.hour), { ...input, after: getPageStart(input) }),
  ),
})

const searchRouter = router({
  everything: implement(contract.search.everything, ({ ctx, input }) => searchEverything(ctx.app, input)),
})

const siteRouter = router({
  settings: implement(contract.site.settings, ({ ctx: { app } }) => ({
    communityUrl: app.platform.config.communityUrl,
    isSettingUp: app.market.history.isBeingWritten,
    announcement: getInForce(app).announcement,
  })),
  announcement: implement(contract.site.announcement, async function* ({ ctx: { app }, input, signal }) {
    const seen = input.lastEventId == null ? undefined : Number(input.lastEventId)
    for await (const announcement of getInForce(app).followAnnouncement(seen, signal))
      yield tracked(String(announcement?.id ?? 0), { announcement })
  }),
  parameters: implement(contract.site.parameters, ({ ctx }) => getParameters(ctx, ctx.userId)),
})

const stickersRouter = router({
  list: implement(contract.stickers.list, ({ ctx, input }) => listStickers(ctx.app, input.id)),
})

const tapeRouter = router({
  today: implement(contract.tape.today, ({ ctx }) => getTape(ctx)),
  play: implement(contract.tape.play, ({ ctx }) => playTape(ctx)),
  buy: implement(contract.tape.buy, ({ ctx, input }) => buyOnTape(ctx.app, input.id)),
  sell: implement(contract.tape.sell, ({ ctx, input }) => sellOnTape(ctx.app, input.id)),
  follow: implement(contract.tape.follow, ({ ctx, input, signal }) =>
    followPlay(ctx.app, { id: input.id, seen: Number(input.lastEventId ?? 0) }, signal),
  ),
  result: implement(contract.tape.result, ({ ctx, input }) => getTapeResult(ctx, input.day)),
})

const talkRouter = router({
  list: listPosts,
  thread: listReplies,
  write,
  edit: editPost,
  delete: deletePost,
  react,
  court: getCourt,
  vote,
  moderate: moderatePost,
  watch: watchTalk,
})

const uploadsRouter = router({
  create: implement(contract.uploads.create, ({ ctx }) => createUpload(ctx.app, ctx.userId)),
  setProfilePicture: implement(contract.uploads.setProfilePicture, ({ ctx, input }) =>
    setProfilePicture(ctx, ctx.userId, input.profilePictureUrl),
  ),
})

const usersRouter = router({
  profile: implement(contract.users.profile, ({ ctx, input }) => getProfile(ctx.app, input.id)),
  results: implement(contract.users.results, ({ ctx, input }) => getResults(ctx.app, input.id)),
  trades: implement(contract.users.trades, ({ ctx, input }) => getPlayerTrades(ctx.app, input)),
  launchRecord: implement(contract.users.launchRecord, ({ ctx, input }) => getLaunchRecord(ctx.app, input.id)),
  closedWin: implement(contract.users.closedWin, ({ ctx, input }) => getClosedWin(ctx.app, input)),
  houseBot: implement(contract.users.houseBot, ({ ctx, input }) => getHouseBot(ctx.app, input.id)),
  closedPosition: implement(contract.users.closedPosition, ({ ctx, input }) => getClosedPosition(ctx.app, input)),
})

const watchlistRouter = router({
  get: implement(contract.watchlist.get, ({ ctx }) => getWatchlist(ctx.app, ctx.userId)),
  add: implement(contract.watchlist.add, ({ ctx, input }) => addStar(ctx.app, ctx.userId, input.id)),
  remove: implement(contract.watchlist.remove, ({ ctx, input }) => removeStar(ctx.app, ctx.userId, input.id)),
  merge: implement(contract.watchlist.merge, ({ ctx, input }) => mergeStars(ctx.app, ctx.userId, input.tokenIds)),
})

/** The router of all procedures. REST and tRPC only pass calls on to these procedures. */
export const appRouter = router({
  account: accountRouter,
  admin: router({ ...adminParts, ...fairsAdminParts }),
  alerts: alertsRouter,
  auth: authRouter,
  fairs: fairsRouter,
  follows: followsRouter,
  history: historyRouter,
  keys: keysRouter,
  leaderboard: leaderboardRouter,
  live: liveRouter,
  notices: noticesRouter,
  orders: ordersRouter,
  passkeys: passkeysRouter,
  past: pastRouter,
  portfolio: portfolioRouter,
  proof: proofRouter,
  push: pushRouter,
  reports: reportsRouter,
  search: searchRouter,
  security: securityRouter,
  secondFactor: secondFactorRouter,
  site: siteRouter,
  stickers: stickersRouter,
  talk: talkRouter,
  tape: tapeRouter,
  tokens: tokensRouter,
  trading: tradingRouter,
  uploads: uploadsRouter,
  users: usersRouter,
  waitingOrders: router({ ...waitingOrdersProcedures, watch: watchOrders }),
  watchlist: watchlistRouter,
  webhooks: webhooksRouter,
} satisfies { [F in Feature]: FeatureRouter<F> })
