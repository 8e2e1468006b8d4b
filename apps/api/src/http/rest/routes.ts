import { NotSignedInError } from '@papermoon/engine'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ZodObject, type ZodType, z } from 'zod'
import type { DomainErrorCode } from '../../errors.ts'
import { accountEvent } from '../../features/account/schemas.ts'
import { currentUser } from '../../features/auth/schemas.ts'
import { findNextHolderCursor } from '../../features/tokens/history/holder-pages.ts'
import { historyCandle } from '../../features/tokens/history/schemas.ts'
import { findNextTradeCursor } from '../../features/tokens/history/token-trades.ts'
import { holders, launchResult, marketTrades, token, trades } from '../../features/tokens/schemas.ts'
import { ORDER_FINAL_S } from '../../features/trading/orders/order-final.ts'
import { order } from '../../features/trading/orders/schemas.ts'
import { buyResult, rugResult, sellResult } from '../../features/trading/schemas.ts'
import { uploadTarget } from '../../features/uploads/schemas.ts'
import { playerTrades } from '../../features/users/schemas.ts'
import { findNextPlayerTradeCursor } from '../../features/users/trades.ts'
import type { AppOutputs } from '../../router.ts'
import type { ProcedurePath } from '../calls/procedures.ts'

type OutputOf<Path extends ProcedurePath> = Path extends `${infer Feature extends keyof AppOutputs}.${infer Name}`
  ? Name extends keyof AppOutputs[Feature]
    ? AppOutputs[Feature][Name]
    : never
  : never

/** Why a route should no longer be used; it works at least until `sunset`. */
export interface Deprecation {
  readonly since: `${number}-${number}-${number}`
  /** At least a year after `since`. */
  readonly sunset: `${number}-${number}-${number}`
  /** One sentence that names the replacement. */
  readonly instead: string
  /** The address of the replacement, for `Link`; its parameters are those that give the same answer. */
  readonly successor: `/api/${string}`
}

/** One REST route, and the procedure it calls. */
export interface RestRoute<Path extends ProcedurePath = never> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path as in OpenAPI; braces name the field of the input that they fill. */
  readonly path: `/api/${string}`
  readonly procedure: ProcedurePath | Path
  /** Method name in generated clients: a verb and a noun, never changed once released. */
  readonly operationId: string
  readonly summary: string
  readonly access: 'anyone' | 'player'
  /** Status of success; 200 by default, and for a dry run. */
  readonly status?: 201
  /** Error codes beside those of every route of its kind (openapi/schema.ts). */
  readonly refusals?: readonly DomainErrorCode[]
  /** Deprecated since a date, works at least until another one: sends `Deprecation`, `Sunset` and `Link`. */
  readonly deprecated?: Deprecation
  /** Converts the procedure's output to the body, where they differ. */
  readonly answer?: {
    readonly schema: ZodType
    from(output: OutputOf<Path>, request: FastifyRequest, reply: FastifyReply): unknown
  }
}

function route<Path extends ProcedurePath>(entry: RestRoute<Path> & { readonly procedure: Path }): RestRoute {
  return entry
}

/** Moves the mark of a repeat from the answer to a header. A dry run makes nothing, so it is no 201. */
function markReplayed<Shape extends { readonly isReplayed: ZodType }>(schema: ZodObject<Shape>, id: string) {
  return {
    schema: schema.omit({ isReplayed: true } as never).meta({ id }),
    from: (
      { isReplayed, ...answer }: { readonly isReplayed?: true | undefined; readonly dryRun?: true | undefined },
      _request: FastifyRequest,
      reply: FastifyReply,
    ) => {
      if (isReplayed) reply.header('idempotent-replayed', 'true')
      if (answer.dryRun) reply.code(200)
      return answer
    },
  }
}

/** Refusals of every order. */
const ORDER_REFUSALS = ['REQUEST_KEY_REUSED', 'TOO_MANY_ORDERS', 'BUSY', 'OUTCOME_UNKNOWN'] as const
/** Refusals of the market maker. */
const TRADE_REFUSALS = ['AMOUNT_TOO_LARGE', 'OUTPUT_IS_ZERO'] as const

/** Refusals of a moment of the past. */
const PAST_REFUSALS = ['TOKEN_NOT_FOUND', 'MOMENT_NOT_FOUND', 'BUSY'] as const

/** All REST routes; each calls the procedure that tRPC calls. */
export const restRoutes: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/api/auth/user',
    procedure: 'auth.me',
    operationId: 'getCurrentUser',
    summary: 'The signed-in player; 401 for a guest.',
    access: 'player',
    answer: {
      schema: currentUser,
      from: (user) => {
        if (user === null) throw new NotSignedInError()
        return user
      },
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/register',
    procedure: 'auth.register',
    operationId: 'register',
    summary: 'Makes an account with 100 SOL and signs it in.',
    access: 'anyone',
    status: 201,
    refusals: ['PROOF_OF_WORK_NEEDED', 'WEAK_PASSWORD', 'USERNAME_TAKEN', 'EMAIL_TAKEN', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/auth/login',
    procedure: 'auth.login',
    operationId: 'login',
    summary: 'Signs in; the session comes as a cookie. Where the account has a second factor, totp is needed too.',
    access: 'anyone',
    refusals: ['PROOF_OF_WORK_NEEDED', 'INVALID_CREDENTIALS', 'SECOND_FACTOR_NEEDED', 'SECOND_FACTOR_INVALID', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/auth/passkey/options',
    procedure: 'auth.beginPasskeyLogin',
    operationId: 'beginPasskeyLogin',
    summary: 'What a browser needs to sign in with a passkey; good for five minutes, once, for the browser that asked.',
    access: 'anyone',
    refusals: ['PASSKEYS_UNAVAILABLE'],
  }),
  route({
    method: 'POST',
    path: '/api/auth/passkey',
    procedure: 'auth.loginWithPasskey',
    operationId: 'loginWithPasskey',
    summary: 'Signs in with a passkey, which counts for the password and the second factor.',
    access: 'anyone',
    refusals: ['PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE'],
  }),
  route({
    method: 'POST',
    path: '/api/auth/logout',
    procedure: 'auth.logout',
    operationId: 'logout',
    summary: 'Ends the session and its live sockets.',
    access: 'anyone',
  }),
  route({
    method: 'POST',
    path: '/api/auth/forgot-password',
    procedure: 'auth.forgotPassword',
    operationId: 'forgotPassword',
    summary: 'Makes a reset code of six digits, good for 15 minutes, and mails it; where the server says so, shows it.',
    access: 'anyone',
    refusals: ['PROOF_OF_WORK_NEEDED', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/auth/reset-password',
    procedure: 'auth.resetPassword',
    operationId: 'resetPassword',
    summary:
      'Sets a new password with a reset code and ends every session and API key; 400 for a wrong or expired code.',
    access: 'anyone',
    refusals: ['PROOF_OF_WORK_NEEDED', 'WEAK_PASSWORD', 'RESET_CODE_INVALID', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/account/reset',
    procedure: 'account.reset',
    operationId: 'resetAccount',
    summary: 'Tops up a player with a net worth under 10 SOL so that it is 100, once a day.',
    access: 'player',
    refusals: ['NET_WORTH_TOO_HIGH', 'RESET_TOO_SOON', 'BUSY'],
  }),
  route({
    method: 'PUT',
    path: '/api/account/bot',
    procedure: 'account.declareBot',
    operationId: 'declareBot',
    summary:
      'Declares the account as a bot, or that a person plays again. Whoever was a bot at any moment of a giveaway window cannot win it.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/account/confirm',
    procedure: 'security.confirm',
    operationId: 'confirmIdentity',
    summary:
      'Proves with the password, a code or a passkey that it is still the player; for 10 minutes this session may do dangerous things.',
    access: 'player',
    refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/account/confirm/passkey',
    procedure: 'security.beginPasskeyConfirm',
    operationId: 'beginPasskeyConfirmation',
    summary: 'What a browser needs to prove with a passkey that it is still the player.',
    access: 'player',
    refusals: ['PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE'],
  }),
  route({
    method: 'GET',
    path: '/api/account/second-factor',
    procedure: 'secondFactor.status',
    operationId: 'getSecondFactor',
    summary: 'Whether one’s logins need a code beside the password, and how many recovery codes are left.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/account/second-factor/setup',
    procedure: 'secondFactor.begin',
    operationId: 'beginSecondFactor',
    summary: 'A secret for an authenticator app; nothing needs it until a code of it is entered, within 15 minutes.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_ON'],
  }),
  route({
    method: 'POST',
    path: '/api/account/second-factor/enable',
    procedure: 'secondFactor.enable',
    operationId: 'enableSecondFactor',
    summary:
      'Confirms the setup with a code: logins need one from then on. The recovery codes are shown only in this answer.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED', 'WRONG_CODE', 'SETUP_EXPIRED', 'SECOND_FACTOR_ON', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/account/second-factor/disable',
    procedure: 'secondFactor.disable',
    operationId: 'disableSecondFactor',
    summary: 'Logins need the password alone again; the recovery codes are gone.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_OFF'],
  }),
  route({
    method: 'POST',
    path: '/api/account/recovery-codes',
    procedure: 'secondFactor.renewRecoveryCodes',
    operationId: 'renewRecoveryCodes',
    summary: 'Ten new recovery codes, shown only in this answer; the old ones stop working.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_OFF', 'BUSY'],
  }),
  route({
    method: 'GET',
    path: '/api/passkeys',
    procedure: 'passkeys.list',
    operationId: 'listPasskeys',
    summary: 'One’s passkeys, and the origin at which they can be added and used.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/passkeys/options',
    procedure: 'passkeys.beginAdd',
    operationId: 'beginPasskey',
    summary: 'What a browser needs to make a passkey; good for five minutes, once, for this session.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED', 'PASSKEYS_UNAVAILABLE', 'TOO_MANY_PASSKEYS'],
  }),
  route({
    method: 'POST',
    path: '/api/passkeys',
    procedure: 'passkeys.add',
    operationId: 'addPasskey',
    summary: 'Adds the passkey that a browser made, at most 20 a player.',
    access: 'player',
    status: 201,
    refusals: ['CONFIRMATION_NEEDED', 'PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE', 'PASSKEY_EXISTS', 'TOO_MANY_PASSKEYS'],
  }),
  route({
    method: 'DELETE',
    path: '/api/passkeys/{id}',
    procedure: 'passkeys.remove',
    operationId: 'removePasskey',
    summary: 'Takes a passkey off the account: it signs in no more.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED', 'NOT_FOUND'],
  }),
  route({
    method: 'POST',
    path: '/api/account/export',
    procedure: 'account.prepareExport',
    operationId: 'prepareAccountExport',
    summary:
      'Where this session downloads everything that is stored about its player, within ten minutes; five times a day.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED'],
  }),
  route({
    method: 'POST',
    path: '/api/account/deletion',
    procedure: 'account.askDeletion',
    operationId: 'requestAccountDeletion',
    summary: 'Lets one’s account be deleted seven days from now; until then it can be undone.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED'],
  }),
  route({
    method: 'DELETE',
    path: '/api/account/deletion',
    procedure: 'account.undoDeletion',
    operationId: 'undoAccountDeletion',
    summary: 'Keeps an account that was to be deleted.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/account/events',
    procedure: 'account.events',
    operationId: 'listAccountEvents',
    summary: 'What happened to one’s account in the last 90 days, the newest first; a Link header names the next page.',
    access: 'player',
    answer: {
      schema: z.array(accountEvent),
      from: ({ events, nextCursor }, ...exchange) => page(events, nextCursor, exchange),
    },
  }),
  route({
    method: 'POST',
    path: '/api/account/password',
    procedure: 'security.changePassword',
    operationId: 'changePassword',
    summary:
      'Sets a new password and ends all other sessions, and all API keys if asked; this session gets a new cookie.',
    access: 'player',
    refusals: ['WRONG_PASSWORD', 'WEAK_PASSWORD', 'BUSY'],
  }),
  route({
    method: 'PUT',
    path: '/api/account/wallet',
    procedure: 'security.changeWallet',
    operationId: 'changeWallet',
    summary: 'Sets the wallet that giveaway rewards go to.',
    access: 'player',
    refusals: ['WRONG_PASSWORD', 'BUSY'],
  }),
  route({
    method: 'GET',
    path: '/api/account/email',
    procedure: 'security.email',
    operationId: 'getEmail',
    summary: 'One’s e-mail address, whether it is verified, and the one that is to replace it.',
    access: 'player',
  }),
  route({
    method: 'PUT',
    path: '/api/account/email',
    procedure: 'security.changeEmail',
    operationId: 'changeEmail',
    summary: 'Sets another e-mail address; where the server mails links, once the one that goes to it is opened.',
    access: 'player',
    refusals: ['WRONG_PASSWORD', 'EMAIL_TAKEN', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/account/email/link',
    procedure: 'security.sendEmailLink',
    operationId: 'sendEmailLink',
    summary:
      'Mails the link that verifies one’s e-mail address once more; does nothing where there is nothing to verify.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/account/email/verify',
    procedure: 'security.verifyEmail',
    operationId: 'verifyEmail',
    summary: 'Verifies an e-mail address with the end of the link that was mailed to it.',
    access: 'anyone',
    refusals: ['EMAIL_LINK_INVALID', 'EMAIL_TAKEN'],
  }),
  route({
    method: 'GET',
    path: '/api/account/sessions',
    procedure: 'security.sessions',
    operationId: 'listSessions',
    summary: 'Where one is signed in: this session first, then the last used; at most 50.',
    access: 'player',
  }),
  route({
    method: 'DELETE',
    path: '/api/account/sessions',
    procedure: 'security.endOtherSessions',
    operationId: 'endOtherSessions',
    summary: 'Ends all sessions but this one, and their live sockets.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED'],
  }),
  route({
    method: 'DELETE',
    path: '/api/account/sessions/{id}',
    procedure: 'security.endSession',
    operationId: 'endSession',
    summary: 'Ends a session and its live sockets.',
    access: 'player',
    refusals: ['CONFIRMATION_NEEDED', 'NOT_FOUND'],
  }),
  route({
    method: 'POST',
    path: '/api/keys',
    procedure: 'keys.create',
    operationId: 'createApiKey',
    summary: 'Makes an API key for programs, at most 10 per player; it is shown only in this answer.',
    access: 'player',
    status: 201,
    refusals: ['TOO_MANY_KEYS', 'CONFIRMATION_NEEDED'],
  }),
  route({
    method: 'GET',
    path: '/api/keys',
    procedure: 'keys.list',
    operationId: 'listApiKeys',
    summary: 'One’s API keys.',
    access: 'player',
  }),
  route({
    method: 'DELETE',
    path: '/api/keys/{id}',
    procedure: 'keys.revoke',
    operationId: 'revokeApiKey',
    summary: 'Ends an API key and its live sockets.',
    access: 'player',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/watchlist',
    procedure: 'watchlist.get',
    operationId: 'getWatchlist',
    summary: 'The tokens that one has starred, the last one first, at most 200.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/watchlist',
    procedure: 'watchlist.merge',
    operationId: 'mergeWatchlist',
    summary: 'Stars several tokens, such as those of a device; unknown ones, and those beyond 200, are left out.',
    access: 'player',
  }),
  route({
    method: 'PUT',
    path: '/api/watchlist/{id}',
    procedure: 'watchlist.add',
    operationId: 'addToWatchlist',
    summary: 'Stars a token.',
    access: 'player',
    refusals: ['TOKEN_NOT_FOUND', 'WATCHLIST_FULL'],
  }),
  route({
    method: 'DELETE',
    path: '/api/watchlist/{id}',
    procedure: 'watchlist.remove',
    operationId: 'removeFromWatchlist',
    summary: 'Takes the star off a token; nothing happens where there is none.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/notices',
    procedure: 'notices.list',
    operationId: 'listNotices',
    summary: 'What one was told: rugged bags, sales of large holders, lost places of the Top 3, reached price alerts.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/notices/read',
    procedure: 'notices.markRead',
    operationId: 'markNoticesRead',
    summary: 'Marks notices as read; answers how many are unread.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/notices/settings',
    procedure: 'notices.settings',
    operationId: 'getNoticeSettings',
    summary: 'Which kinds of notices one does not want.',
    access: 'player',
  }),
  route({
    method: 'PUT',
    path: '/api/notices/settings',
    procedure: 'notices.setSettings',
    operationId: 'setNoticeSettings',
    summary: 'Sets which kinds of notices are not wanted; notices that came before stay.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/alerts',
    procedure: 'alerts.list',
    operationId: 'listAlerts',
    summary: 'One’s price alerts, newest first; each fires once.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/alerts',
    procedure: 'alerts.create',
    operationId: 'createAlert',
    summary: 'Makes a price alert, at most 50 waiting ones a player. 409 where the price is there already.',
    access: 'player',
    status: 201,
    refusals: ['TOKEN_NOT_FOUND', 'TOKEN_CLOSED', 'ALERT_REACHED', 'TOO_MANY_ALERTS'],
  }),
  route({
    method: 'DELETE',
    path: '/api/alerts/{id}',
    procedure: 'alerts.remove',
    operationId: 'removeAlert',
    summary: 'Removes a price alert.',
    access: 'player',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/push',
    procedure: 'push.state',
    operationId: 'getPushState',
    summary: 'The key that browsers subscribe with, and one’s devices that get push messages.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/push/subscribe',
    procedure: 'push.subscribe',
    operationId: 'subscribeToPush',
    summary: 'Sends notices to a browser too, until its session ends; at most 10 devices a player.',
    access: 'player',
    refusals: ['PUSH_UNAVAILABLE'],
  }),
  route({
    method: 'POST',
    path: '/api/push/unsubscribe',
    procedure: 'push.unsubscribe',
    operationId: 'unsubscribeFromPush',
    summary: 'Sends no more notices to a browser.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/webhooks',
    procedure: 'webhooks.list',
    operationId: 'listWebhooks',
    summary: 'One’s webhooks, and how the last message to each went.',
    access: 'player',
  }),
  route({
    method: 'POST',
    path: '/api/webhooks',
    procedure: 'webhooks.create',
    operationId: 'createWebhook',
    summary:
      'Adds an address that gets events, at most 5 a player, once it answered a challenge. Its secret is shown only in this answer.',
    access: 'player',
    status: 201,
    refusals: ['WEBHOOKS_UNAVAILABLE', 'CONFIRMATION_NEEDED', 'TOKEN_NOT_FOUND', 'TOO_MANY_WEBHOOKS', 'WEBHOOK_EXISTS'],
  }),
  route({
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    procedure: 'webhooks.remove',
    operationId: 'removeWebhook',
    summary: 'Removes a webhook, with what waits for it.',
    access: 'player',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/{id}/test',
    procedure: 'webhooks.test',
    operationId: 'testWebhook',
    summary: 'Sends a ping, or the challenge again. One that is taken starts a webhook again that was given up.',
    access: 'player',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/{id}/secret',
    procedure: 'webhooks.rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'Replaces the secret; messages are signed with both for a day.',
    access: 'player',
    refusals: ['NOT_FOUND', 'CONFIRMATION_NEEDED'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens',
    procedure: 'tokens.list',
    operationId: 'listTokens',
    summary: 'Tokens, the newest 1,000 unless asked otherwise; a Link header names the next page.',
    access: 'anyone',
    answer: {
      schema: z.array(token),
      from: ({ tokens, nextCursor }, ...exchange) => page(tokens, nextCursor, exchange),
    },
  }),
  route({
    method: 'GET',
    path: '/api/tokens/by-ids',
    procedure: 'tokens.byIds',
    operationId: 'getTokens',
    summary: 'The tokens with these ids, separated by commas, at most 200; unknown ones are left out.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/tokens/figures',
    procedure: 'tokens.figures',
    operationId: 'getTokenFigures',
    summary:
      'Holders and a price line of the last 24 hours of tokens, at most 48 a call, up to ten seconds old; unknown ids are left out.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/tokens/movers',
    procedure: 'tokens.movers',
    operationId: 'getMovers',
    summary: 'What moves on the market: the latest launches, the largest gains and the most volume, at most 8 each.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/tokens/tape',
    procedure: 'tokens.tape',
    operationId: 'listLatestTrades',
    summary: 'The newest trades of the whole market with their tokens, newest first, at most 20.',
    access: 'anyone',
    deprecated: {
      since: '2026-11-23',
      sunset: '2027-12-01',
      instead: 'Use GET /api/trades?limit=20, which has all trades, in pages.',
      successor: '/api/trades?limit=20',
    },
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}',
    procedure: 'tokens.get',
    operationId: 'getToken',
    summary: 'One token.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}/trades',
    procedure: 'tokens.trades',
    operationId: 'listTokenTrades',
    summary:
      'The trades of a token, newest first: the newest 50, or pages of at most 1,000; a Link header names the next.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND', 'BUSY'],
    answer: {
      schema: trades,
      from: (list, ...exchange) => page(list, findNextTradeCursor(list, readLimit(exchange[0])), exchange),
    },
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}/trades/marked',
    procedure: 'tokens.markedTrades',
    operationId: 'listMarkedTrades',
    summary: 'The trades of the creator and one’s own among the newest 2,000, newest first, at most 200.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}/holders',
    procedure: 'tokens.holders',
    operationId: 'listTokenHolders',
    summary: 'The holders of a token by rank: the largest 20, or pages of at most 1,000; a Link header names the next.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND', 'BUSY'],
    answer: {
      schema: holders,
      from: (list, ...exchange) => page(list, findNextHolderCursor(list, readLimit(exchange[0])), exchange),
    },
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}/candles',
    procedure: 'history.candles',
    operationId: 'listTokenCandles',
    summary: 'Candles of a token, newest first, at most 1,500 a page; a Link header names the next.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND', 'BUSY'],
    answer: {
      schema: z.array(historyCandle),
      from: ({ candles, nextCursor }, ...exchange) => page(candles, nextCursor, exchange),
    },
  }),
  route({
    method: 'GET',
    path: '/api/trades',
    procedure: 'history.trades',
    operationId: 'listTrades',
    summary: 'All trades of the market with their tokens, newest first; a Link header names the next page.',
    access: 'anyone',
    refusals: ['BUSY'],
    answer: {
      schema: marketTrades,
      from: (list, ...exchange) => page(list.trades, list.nextCursor, exchange),
    },
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{tokenId}/position',
    procedure: 'trading.position',
    operationId: 'getPosition',
    summary: 'What the signed-in player has of a token, and their SOL.',
    access: 'player',
    refusals: ['TOKEN_NOT_FOUND'],
  }),
  route({
    method: 'POST',
    path: '/api/tokens/{id}/rug',
    procedure: 'trading.rug',
    operationId: 'rugToken',
    summary: 'Drains the pool of one’s own token and closes it for good.',
    access: 'player',
    answer: markReplayed(rugResult, 'RugResult'),
    refusals: [...ORDER_REFUSALS, 'TOKEN_NOT_FOUND', 'TOKEN_CLOSED', 'NOT_YOURS'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}/rug',
    procedure: 'tokens.rugStory',
    operationId: 'getRugReport',
    summary: 'How a rugged token ended: who took what, and whom it cost most; 404 for one that is open.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND', 'NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{tokenId}/past',
    procedure: 'past.at',
    operationId: 'findMoment',
    summary: 'The last event of a token at or before a time, by its sequence number; before the launch, the launch.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND', 'BUSY'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{tokenId}/past/{seq}',
    procedure: 'past.moment',
    operationId: 'getMoment',
    summary: 'A token’s page as it was right after one of its events: figures, largest holders and trades.',
    access: 'anyone',
    refusals: PAST_REFUSALS,
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{tokenId}/past/{seq}/chart',
    procedure: 'past.chart',
    operationId: 'getPastChart',
    summary: 'The chart as it was right after one of a token’s events; its last candle is the one that was forming.',
    access: 'anyone',
    refusals: PAST_REFUSALS,
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{tokenId}/past/{seq}/bag',
    procedure: 'past.bag',
    operationId: 'getPastBag',
    summary: 'What the signed-in player held right after an event, and what selling it then would have paid.',
    access: 'player',
    refusals: PAST_REFUSALS,
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{tokenId}/past/{after}/steps',
    procedure: 'past.steps',
    operationId: 'listPastSteps',
    summary: 'The events after one of a token, at most 500, with what was held before them: enough to play them.',
    access: 'anyone',
    refusals: PAST_REFUSALS,
  }),
  route({
    method: 'GET',
    path: '/api/charts/{id}',
    procedure: 'tokens.chart',
    operationId: 'getChart',
    summary: 'Candles, the last trades and figures of a token; candles of seconds from the trades of the last hour.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND'],
  }),
  route({
    method: 'POST',
    path: '/api/quotes',
    procedure: 'trading.quote',
    operationId: 'getQuote',
    summary: 'What a buy, sale or launch would do now, exactly; needs no account.',
    access: 'anyone',
    refusals: [
      ...TRADE_REFUSALS,
      'TOKEN_NOT_FOUND',
      'TOKEN_CLOSED',
      'INSUFFICIENT_TOKENS',
      'CROSS_ORIGIN',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  }),
  route({
    method: 'GET',
    path: '/api/parameters',
    procedure: 'site.parameters',
    operationId: 'getParameters',
    summary:
      'The market’s constants, the limits of calls, and who the caller is with what their API key may still spend.',
    access: 'anyone',
  }),
  route({
    method: 'POST',
    path: '/api/tokens/launch',
    procedure: 'tokens.launch',
    operationId: 'launchToken',
    summary: 'Launches a token for 0.02 SOL and, if asked, buys of it in the same transaction.',
    access: 'player',
    status: 201,
    answer: markReplayed(launchResult, 'LaunchResult'),
    refusals: [...ORDER_REFUSALS, ...TRADE_REFUSALS, 'INSUFFICIENT_BALANCE', 'SPENDING_LIMIT_REACHED'],
  }),
  route({
    method: 'POST',
    path: '/api/tokens/buy',
    procedure: 'trading.buy',
    operationId: 'buyToken',
    summary: 'Buys tokens for SOL; answers after the trade is stored.',
    access: 'player',
    answer: markReplayed(buyResult, 'BuyResult'),
    refusals: [
      ...ORDER_REFUSALS,
      ...TRADE_REFUSALS,
      'SPENDING_LIMIT_REACHED',
      'INSUFFICIENT_BALANCE',
      'SLIPPAGE_EXCEEDED',
      'TOKEN_NOT_FOUND',
      'TOKEN_CLOSED',
    ],
  }),
  route({
    method: 'POST',
    path: '/api/tokens/sell',
    procedure: 'trading.sell',
    operationId: 'sellToken',
    summary: 'Sells tokens for SOL; answers after the trade is stored.',
    access: 'player',
    answer: markReplayed(sellResult, 'SellResult'),
    refusals: [
      ...ORDER_REFUSALS,
      ...TRADE_REFUSALS,
      'INSUFFICIENT_TOKENS',
      'SLIPPAGE_EXCEEDED',
      'TOKEN_NOT_FOUND',
      'TOKEN_CLOSED',
    ],
  }),
  route({
    method: 'GET',
    path: '/api/orders',
    procedure: 'orders.list',
    operationId: 'listOrders',
    summary: 'One’s own orders with what they traded, newest first; a Link header names the next page.',
    access: 'player',
    answer: {
      schema: z.array(order),
      from: ({ orders, nextCursor }, ...exchange) => page(orders, nextCursor, exchange),
    },
  }),
  route({
    method: 'GET',
    path: '/api/orders/{key}',
    procedure: 'orders.get',
    operationId: 'getOrder',
    summary: `What became of one’s order with this idempotency key: filled, with its answer, or pending. 404 where none was placed: a refused order leaves its key free. Final ${ORDER_FINAL_S} seconds after the order was sent.`,
    access: 'player',
    refusals: ['NOT_FOUND', 'BUSY'],
  }),
  route({
    method: 'POST',
    path: '/api/objects/upload',
    procedure: 'uploads.create',
    operationId: 'createUpload',
    summary: 'An address of this server that takes one PUT of a picture of at most 5,242,880 bytes within ten minutes.',
    access: 'player',
    refusals: ['STORAGE_AWAY'],
    answer: {
      schema: uploadTarget,
      from: ({ uploadURL }, request) => ({ uploadURL: absoluteUrl(uploadURL, request) }),
    },
  }),
  route({
    method: 'PUT',
    path: '/api/users/profile-picture',
    procedure: 'uploads.setProfilePicture',
    operationId: 'setProfilePicture',
    summary: 'Makes an uploaded picture the player’s own: at most 5 MB; PNG, JPEG, WebP, GIF or AVIF.',
    access: 'player',
    refusals: ['UPLOAD_NOT_FOUND', 'NOT_YOURS', 'NOT_A_PICTURE', 'STORAGE_AWAY', 'BUSY'],
  }),
  route({
    method: 'GET',
    path: '/api/portfolio',
    procedure: 'portfolio.get',
    operationId: 'getPortfolio',
    summary: 'What the signed-in player holds, the most valuable first.',
    access: 'player',
    refusals: ['NOT_YOURS'],
  }),
  route({
    method: 'GET',
    path: '/api/portfolio/summary',
    procedure: 'portfolio.summary',
    operationId: 'getPortfolioSummary',
    summary: 'The sums over what the signed-in player holds.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/portfolio/net-worth',
    procedure: 'portfolio.netWorth',
    operationId: 'getNetWorth',
    summary: 'What the signed-in player could have in SOL now, and where it is.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/portfolio/history',
    procedure: 'portfolio.history',
    operationId: 'getNetWorthHistory',
    summary: 'Balance and net worth of the signed-in player over time: about 100 points, the last one of now.',
    access: 'player',
    refusals: ['BUSY'],
  }),
  route({
    method: 'GET',
    path: '/api/dashboard',
    procedure: 'portfolio.dashboard',
    operationId: 'getDashboard',
    summary: 'What the signed-in player won, holds and launched.',
    access: 'player',
  }),
  route({
    method: 'GET',
    path: '/api/users/{id}/profile',
    procedure: 'users.profile',
    operationId: 'getPlayerProfile',
    summary: 'A player with what they hold and launched.',
    access: 'anyone',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/search',
    procedure: 'search.everything',
    operationId: 'search',
    summary: 'Tokens and players by a part of their names, the best matches first. Counts as ten reads.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/users/{id}/results',
    procedure: 'users.results',
    operationId: 'getPlayerResults',
    summary: 'What a player won and lost with closed positions, and would with open ones; at most 10 seconds old.',
    access: 'anyone',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/users/{id}/trades',
    procedure: 'users.trades',
    operationId: 'listPlayerTrades',
    summary:
      'The trades of a player, newest first: the newest 20, or pages of at most 100; a Link header names the next.',
    access: 'anyone',
    refusals: ['NOT_FOUND'],
    answer: {
      schema: playerTrades,
      from: (list, ...exchange) => page(list, findNextPlayerTradeCursor(list, readLimit(exchange[0])), exchange),
    },
  }),
  route({
    method: 'GET',
    path: '/api/users/{userId}/wins/{tokenId}',
    procedure: 'users.closedWin',
    operationId: 'getClosedWin',
    summary:
      'What a player won with a token of which they hold nothing any more, over all trades of it; null up to 10 %. Counts as ten reads.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/users/{id}/launch-record',
    procedure: 'users.launchRecord',
    operationId: 'getLaunchRecord',
    summary: 'How many tokens a player launched and rugged, and the SOL those rug pulls drained.',
    access: 'anyone',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/leaderboard',
    procedure: 'leaderboard.get',
    operationId: 'getLeaderboard',
    summary: 'The best traders of the last 6 hours, at most 3, without bots; computed every 30 seconds.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/leaderboard/all-time',
    procedure: 'leaderboard.allTime',
    operationId: 'getAllTimeBoard',
    summary: 'The best traders of all time, at most 10, without bots; computed about once a minute.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/leaderboard/creators',
    procedure: 'leaderboard.creators',
    operationId: 'getCreatorBoard',
    summary: 'The creators whose open tokens other players back most, at most 10; computed about once a minute.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/leaderboard/rugs',
    procedure: 'leaderboard.rugs',
    operationId: 'getRugBoard',
    summary: 'The rug pulls that took most from other players, at most 10; computed about once a minute.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/leaderboard/rank/{userId}',
    procedure: 'leaderboard.rank',
    operationId: 'getLeaderboardRank',
    summary: 'A player’s place among all players with a profit in the last 6 hours, and the giveaway window of now.',
    access: 'anyone',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/leaderboard/bots',
    procedure: 'leaderboard.bots',
    operationId: 'getBotLeague',
    summary: 'The bots’ league: the best bots of the last 6 hours, at most 10; computed every 30 seconds.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/audit',
    procedure: 'proof.summary',
    operationId: 'getAudit',
    summary: 'Whether every sum of the market is exact right now, and what the last full replay found.',
    access: 'anyone',
  }),
  route({
    method: 'GET',
    path: '/api/audit/heads',
    procedure: 'proof.heads',
    operationId: 'getChainHeads',
    summary: 'The heads of all chains as they were published last, each hour; keep a copy elsewhere.',
    access: 'anyone',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/audit/heads/{hour}',
    procedure: 'proof.headsAt',
    operationId: 'getChainHeadsAt',
    summary: 'The heads of all chains as they were published for an hour; they never change.',
    access: 'anyone',
    refusals: ['NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}/chain',
    procedure: 'proof.chain',
    operationId: 'getTokenChain',
    summary: 'A token’s hash chain, from any entry on: each trade and the rug pull with a hash over the one before.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND', 'NOT_FOUND', 'BUSY'],
  }),
  route({
    method: 'GET',
    path: '/api/tokens/{id}/chain/checkpoints',
    procedure: 'proof.checkpoints',
    operationId: 'getChainCheckpoints',
    summary: 'Hashes of a token’s chain, evenly spread, at most 200.',
    access: 'anyone',
    refusals: ['TOKEN_NOT_FOUND', 'BUSY'],
  }),
  route({
    method: 'GET',
    path: '/api/site',
    procedure: 'site.settings',
    operationId: 'getSite',
    summary: 'What the operator set that a client needs to know.',
    access: 'anyone',
  }),
]

/** A program without a page to start from needs the whole address: on the host that it asked. */
function absoluteUrl(url: string, request: FastifyRequest): string {
  const { origin: page = '' } = request.headers
  // A page of ours knows the scheme before a proxy; one of another site, with an API key, is nobody to send files to.
  const isOwn = URL.canParse(page) && new URL(page).host === request.host.toLowerCase()
  const origin = isOwn ? page : `${request.protocol}://${request.host}`
  return URL.canParse(url, origin) ? new URL(url, origin).href : url
}

/** The limit of a valid request, if it gives one. */
function readLimit({ query }: FastifyRequest): number | undefined {
  const { limit } = Object(query) as { limit?: unknown }
  return limit === undefined ? undefined : Number(limit)
}

/** A page of a list, with a Link header to the next one. */
function page<T>(items: T, nextCursor: string | number | null, [request, reply]: [FastifyRequest, FastifyReply]): T {
  if (nextCursor === null) return items
  const [path = '', query = ''] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', String(nextCursor))
  // A deprecated route has a link already.
  const links = [reply.getHeader('link'), `<${path}?${parameters}>; rel="next"`]
  reply.header('link', links.filter((link) => link !== undefined).join(', '))
  return items
}
