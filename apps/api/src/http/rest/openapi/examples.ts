import { realSol, solText, tokensText } from '@papermoon/amm'
import type { DomainErrorCode } from '../../../errors.ts'
import type { ProcedurePath } from '../../calls/procedures.ts'
import {
  BOUGHT,
  buyEvent,
  buyTrade,
  CASH_OUT,
  CREATOR,
  CURRENT_PRICE,
  LAUNCH_PRICE,
  LAUNCHED_AT,
  MARK_VALUE,
  MARKET_CAP,
  POOL,
  rugEvent,
  sellTrade,
  TOKEN_NAMES,
  TRADED_AT,
  toMarketCap,
  VOLUME,
  victim,
} from '../example-market.ts'

/** Where examples belong, for the errors that ask for one. */
export const EXAMPLES = 'apps/api/src/http/rest/openapi/examples.ts'

/** An example of a call: the procedure's input, and the body of the answer. */
export interface RestExample {
  readonly input?: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

const { name, symbol, emoji } = TOKEN_NAMES
const TOKEN_NAMED = { tokenId: 7, tokenName: name, tokenSymbol: symbol, emoji }

const token = {
  id: 7,
  ...TOKEN_NAMES,
  description: 'A moon of paper.',
  website: 'https://moon.example',
  x: null,
  telegram: null,
  supply: '1000000000',
  currentPrice: CURRENT_PRICE,
  priceChange24h: '6.76',
  price24hAgo: LAUNCH_PRICE,
  volume24h: VOLUME,
  marketCap: MARKET_CAP,
  createdAt: LAUNCHED_AT,
  creator: CREATOR,
  creatorHolding: BOUGHT,
  pool: POOL,
  seq: 1,
  lastEventAt: TRADED_AT,
  totalTrades: 1,
  ruggedAt: null,
}

const candle = {
  time: TRADED_AT,
  open: LAUNCH_PRICE,
  high: CURRENT_PRICE,
  low: LAUNCH_PRICE,
  close: CURRENT_PRICE,
  volume: VOLUME,
}
const chart = {
  timeframe: '24H',
  width: 300,
  candles: [candle],
  ticks: [{ seq: 1, time: TRADED_AT, price: CURRENT_PRICE, side: 'buy' }],
  high: CURRENT_PRICE,
  low: LAUNCH_PRICE,
  change24h: '6.76',
  price24hAgo: LAUNCH_PRICE,
  totalTrades: 1,
  seq: 1,
}

const alert = {
  id: 5,
  token: { id: 7, name: 'Paper Moon', symbol: 'MOON', emoji: '🌙' },
  measure: 'percent',
  value: '50',
  direction: 'above',
  price: '0.000000048040700449',
  createdAt: TRADED_AT,
  doneAt: null,
  isReached: false,
}
const notice = {
  id: 12,
  kind: 'whale',
  createdAt: TRADED_AT,
  readAt: null,
  times: 2,
  token: { ...alert.token, isRugged: false },
  actor: { id: 3, username: 'luna', isBot: false },
  seq: 9,
  tokens: BOUGHT,
  sol: '0.99',
  supply: '1000000000',
  rank: null,
  rankNow: null,
  alert: null,
}
const WEBHOOK = {
  id: 4,
  url: 'https://hooks.example.org/papermoon',
  format: 'standard',
  events: ['trade', 'rug', 'fill'],
  tokenIds: [7],
  createdAt: '2026-01-05T12:00:00.000Z',
  status: 'active',
  lastAt: '2026-01-05T12:03:10.000Z',
  lastStatus: 204,
  lastError: null,
  failingSince: null,
  nextAt: null,
  missed: 0,
  oldSecretUntil: null,
}
const NEW_WEBHOOK = { ...WEBHOOK, status: 'pending', lastAt: null, lastStatus: null }
const WEBHOOK_SECRET = 'whsec_wVHs8Q3xN0bT6mZk2rYp5cJf9LdAeUo1GiXhKqB7tSM='

const PUSH_ENDPOINT = 'https://push.example.org/wpush/v2/gAAAAABk'

const position = { tokenId: 7, balance: '98.98', amount: BOUGHT, cost: '1' }
const placedOrder = {
  key: 'order-1',
  kind: 'buy',
  tokenId: 7,
  createdAt: TRADED_AT,
  trade: buyTrade,
  ruggedAmount: null,
}
const done = { ok: true }
const madeKey = {
  id: 2,
  name: 'market bot',
  scopes: ['read', 'trade'],
  createdAt: LAUNCHED_AT,
  lastUsedAt: null,
  expiresAt: '2026-06-01T00:00:00.000Z',
  isExpired: false,
  networks: ['203.0.113.0/24'],
  spendingLimit: '10',
  spentToday: '2.5',
}
const assertionOptions = {
  challenge: 'Nq3h0sLxT2mVb8yRk5dJwE7cFa1gUoPzXi9tHnB4QvM',
  rpId: 'papermoon.example',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [],
}
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiTnEzaDBzTHgifQ'
const assertion = {
  id: 'mT6yQw0eRk2pLs9dXc4vBn',
  rawId: 'mT6yQw0eRk2pLs9dXc4vBn',
  type: 'public-key',
  response: {
    clientDataJSON: CLIENT_DATA,
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDxqW0hT9vYk2bE3uRm8sNf',
    userHandle: '1Yb0VZcA8w3qRk5tJm7uHs2xPd9fGe4nLa6iQoWvTzU',
  },
}
const passkey = {
  id: 4,
  name: 'my phone',
  domain: 'papermoon.example',
  isSynced: true,
  createdAt: LAUNCHED_AT,
  lastUsedAt: null,
}
const HELD = { amount: BOUGHT, currentPrice: CURRENT_PRICE }
const WORTH = { totalValue: MARK_VALUE, cashOutValue: CASH_OUT }
const GAIN = { profitLoss: '-0.005991001', profitLossPercent: '-0.6' }
const HOLDING_DAY = { profitLoss24h: '-0.005991001', profitLossPercent24h: '-0.6' }
const DAY = { profitLoss24h: '-0.023', profitLossPercent24h: '-0.02' }

/** The real hashes of the figures in these examples. */
const GENESIS = '698f300da04796f6ab7a7b94328d4266e283c20757711c59478695ac1655de23'
const HEAD = 'fd5f02bf19a52f985c412564f4ab07ab5c1385dbaefa1b711234b8082221104a'
const DIGEST = 'bf330a298e7fb5aa205334cb9df9f13a572780ce3b8613fa5cb068e07158ef07'
const published = {
  hour: '2026-03-01T13:00:00.000Z',
  publishedAt: '2026-03-01T13:00:12.000Z',
  tokens: 1,
  digest: DIGEST,
}
const publication = { ...published, previous: null, heads: [{ tokenId: 7, seq: 1, hash: HEAD }], nextAfter: null }

/** An example of every procedure with a REST route. */
export const restExamples: Readonly<Record<Exclude<ProcedurePath, `live.${string}` | `notices.live`>, RestExample>> = {
  'account.prepareExport': {
    answer: {
      url: '/exports/account.json?expires=1772366400000&seal=3q2-7wAAAAB1c2VyIDMgc2F5cyB5ZXMAAAAAAAAAAAAAAAA',
      expiresAt: '2026-03-01T12:00:00.000Z',
    },
  },
  'account.askDeletion': { answer: { deletionDueAt: '2026-03-08T12:00:00.000Z' } },
  'account.undoDeletion': { answer: done },
  'account.events': {
    answer: [
      {
        id: 12,
        kind: 'signed_in',
        at: TRADED_AT,
        times: 1,
        address: '203.0.113.7',
        browser: 'Firefox 128 on Linux',
        detail: { by: 'password' },
      },
    ],
  },
  'account.declareBot': { input: { isBot: true }, answer: { isBot: true } },
  'account.reset': { answer: { granted: '92.5', balance: '99', netWorth: '100' } },
  'auth.me': {
    answer: {
      id: 3,
      userId: 3,
      username: 'luna',
      isBot: false,
      email: 'luna@example.org',
      wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
      profilePictureUrl: null,
      solBalance: '98.98',
      warning: null,
      isAuthenticated: true,
      createdAt: LAUNCHED_AT,
      deletionDueAt: null,
    },
  },
  'auth.register': {
    input: {
      username: 'luna',
      email: 'luna@example.org',
      wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
      password: 'correct horse battery',
    },
    answer: done,
  },
  'auth.login': { input: { email: 'luna@example.org', password: 'correct horse battery' }, answer: done },
  'auth.beginPasskeyLogin': { answer: assertionOptions },
  'auth.loginWithPasskey': { input: { credential: assertion }, answer: done },
  'auth.logout': { answer: done },
  'auth.forgotPassword': {
    input: { email: 'luna@example.org' },
    answer: {
      message: 'If an account has this e-mail address, a reset code is on its way. It is good for 15 minutes.',
    },
  },
  'auth.resetPassword': { input: { token: '048213', newPassword: 'staple battery horse' }, answer: done },
  'keys.create': {
    input: {
      name: 'market bot',
      scopes: ['read', 'trade'],
      expiresAt: '2026-06-01T00:00:00Z',
      networks: ['203.0.113.0/24'],
      spendingLimit: '10',
    },
    answer: { ...madeKey, spentToday: '0', key: 'pm_kG2v0mQ8c1r5Zt7yB3xN9wLfHd4sJpAeUoViXqYbTzR' },
  },
  'notices.list': { answer: { notices: [notice], unread: 1 } },
  'notices.markRead': { input: { ids: [12] }, answer: { unread: 0 } },
  'notices.settings': { answer: { muted: ['whale'] } },
  'notices.setSettings': { input: { muted: ['whale'] }, answer: { muted: ['whale'] } },
  'alerts.list': { answer: [alert] },
  'alerts.create': { input: { tokenId: 7, measure: 'percent', value: '50' }, answer: alert },
  'alerts.remove': { input: { id: 5 }, answer: done },
  'push.state': {
    answer: {
      publicKey: 'BKnq3h0sLxT2mVb8yRk5dJwE7cFa1gUoPzXi9tHnB4QvMmT6yQw0eRk2pLs9dXc4vBnKj5hG8fDs3aZ0xCvBnM8',
      endpoints: [PUSH_ENDPOINT],
    },
  },
  'push.subscribe': {
    input: {
      endpoint: PUSH_ENDPOINT,
      p256dh: 'BKnq3h0sLxT2mVb8yRk5dJwE7cFa1gUoPzXi9tHnB4QvMmT6yQw0eRk2pLs9dXc4vBnKj5hG8fDs3aZ0xCvBnM8',
      auth: 'Nq3h0sLxT2mVb8yRk5dJwE',
    },
    answer: done,
  },
  'push.unsubscribe': { input: { endpoint: PUSH_ENDPOINT }, answer: done },
  'webhooks.list': { answer: [WEBHOOK] },
  'webhooks.create': {
    input: { url: WEBHOOK.url, format: 'standard', events: ['trade', 'rug', 'fill'], tokenIds: [7] },
    answer: { ...NEW_WEBHOOK, secret: WEBHOOK_SECRET },
  },
  'webhooks.remove': { input: { id: 4 }, answer: done },
  'webhooks.test': { input: { id: 4 }, answer: done },
  'webhooks.rotate': {
    input: { id: 4 },
    answer: { secret: WEBHOOK_SECRET, oldSecretUntil: '2026-01-06T12:00:00.000Z' },
  },
  'keys.list': { answer: [madeKey] },
  'keys.revoke': { input: { id: 2 }, answer: done },
  'leaderboard.get': {
    answer: [
      {
        rank: 1,
        userId: 3,
        username: 'luna',
        isBot: false,
        profilePictureUrl: null,
        wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
        totalPnL: '12.5',
        tradesCount: 48,
        accountCreatedAt: LAUNCHED_AT,
        counterparties: 9,
        sourcePercent: 31,
      },
    ],
  },
  'leaderboard.allTime': {
    answer: [{ rank: 1, userId: 3, username: 'luna', profilePictureUrl: null, totalPnL: '212.75', tradesCount: 1_408 }],
  },
  'leaderboard.creators': {
    answer: [
      {
        ...{ rank: 1, userId: 3, username: 'luna', profilePictureUrl: null },
        ...{ backing: '84.5', backers: 31, launched: 4, rugged: 0 },
      },
    ],
  },
  'leaderboard.rugs': {
    answer: [
      {
        rank: 1,
        ...TOKEN_NAMED,
        creator: { userId: 3, username: 'luna', profilePictureUrl: null },
        taken: '34.2',
        holders: 12,
        seq: 207,
        ruggedAt: LAUNCHED_AT,
      },
    ],
  },
  'leaderboard.rank': {
    input: { userId: 3 },
    answer: {
      userId: 3,
      isRanked: true,
      rank: 7,
      players: 41,
      totalPnL: '2.4',
      tradesCount: 12,
      behindBronze: '3.1',
      lead: null,
      computedAt: LAUNCHED_AT,
      giveaway: { since: '2026-01-05T12:00:00.000Z', until: '2026-01-05T18:00:00.000Z' },
    },
  },
  'leaderboard.bots': {
    answer: [
      {
        rank: 1,
        userId: 12,
        username: 'Foxy Fern',
        isBot: true,
        profilePictureUrl: null,
        emoji: '🦊',
        about: 'I buy what everybody buys, a little later.',
        isHouse: true,
        totalPnL: '4.25',
        tradesCount: 211,
      },
    ],
  },
  'portfolio.get': {
    input: { userId: 3 },
    answer: [
      {
        ...TOKEN_NAMED,
        ...HELD,
        pool: POOL,
        ...WORTH,
        cost: '1',
        ...GAIN,
        ...HOLDING_DAY,
        ruggedAt: null,
        isListed: true,
      },
    ],
  },
  'portfolio.summary': { answer: { ...WORTH, cost: '1', ...GAIN, ...DAY, holdings: 1 } },
  'portfolio.netWorth': {
    answer: {
      netWorth: '99.977',
      balance: '98.98',
      cashOutValue: '0',
      ownPools: '0.997',
      ownBags: WORTH.cashOutValue,
      openPools: 1,
      ownTokens: [7],
      holdings: 1,
      granted: '100',
      largest: [],
      others: '0',
      othersCount: 0,
    },
  },
  'portfolio.history': {
    input: { timeframe: '24H' },
    answer: {
      timeframe: '24H',
      since: LAUNCHED_AT,
      grantedBefore: '100',
      points: [
        { time: LAUNCHED_AT, netWorth: '100', balance: '100' },
        { time: TRADED_AT, netWorth: '99.977', balance: '98.98' },
      ],
    },
  },
  'portfolio.dashboard': {
    answer: {
      pnl: {
        total: '-0.025991001',
        realized: '-0.02',
        unrealized: '-0.005991001',
        realizedParts: { closedTrades: '0', launchFees: '-0.02', rugs: '0' },
        unrealizedParts: { cashOutValue: WORTH.cashOutValue, cost: '1' },
      },
      holdings: [
        {
          ...TOKEN_NAMED,
          ...HELD,
          pool: POOL,
          currentValue: MARK_VALUE,
          cashOutValue: WORTH.cashOutValue,
          ruggedAt: null,
          isListed: true,
        },
      ],
      createdTokens: [
        {
          ...TOKEN_NAMED,
          createdAt: LAUNCHED_AT,
          currentPrice: HELD.currentPrice,
          liquiditySOL: '0.997',
          ruggedAt: null,
        },
      ],
    },
  },
  'proof.summary': {
    answer: {
      checkedAt: '2026-03-01T13:00:30.000Z',
      granted: '100',
      grants: { register: '100', reset: '0', house: '0' },
      balances: '98.98',
      pools: '0.997',
      treasury: '0.023',
      difference: '0',
      isExact: true,
      tokens: { count: 1, exact: 1, wrong: [] },
      lastReplay: {
        startedAt: '2026-03-01T12:59:58.000Z',
        finishedAt: '2026-03-01T13:00:00.000Z',
        tradeId: 41,
        trades: 1,
        tokens: 1,
        players: 1,
        differences: 0,
      },
      heads: published,
    },
  },
  'proof.chain': {
    input: { id: 7, after: 0, limit: 500 },
    answer: {
      genesis: {
        tokenId: 7,
        creatorId: 3,
        supply: '1000000000',
        launchPrice: '0.00000003',
        createdAt: LAUNCHED_AT,
        name: 'Paper Moon',
        symbol: 'MOON',
        hash: GENESIS,
      },
      head: { seq: 1, hash: HEAD },
      after: { seq: 0, hash: GENESIS },
      entries: [
        {
          kind: 'buy',
          tokenId: 7,
          seq: 1,
          userId: 3,
          solAmount: buyTrade.solAmount,
          fee: buyTrade.fee,
          tokenAmount: buyTrade.tokenAmount,
          price: buyTrade.price,
          spotPrice: buyTrade.spotPrice,
          solReserve: POOL.solReserve,
          tokenReserve: POOL.tokenReserve,
          createdAt: TRADED_AT,
          hash: HEAD,
        },
      ],
    },
  },
  'proof.checkpoints': { input: { id: 7 }, answer: { head: { seq: 1, hash: HEAD }, every: 500, checkpoints: [] } },
  'proof.heads': { input: { after: 0, limit: 1000 }, answer: publication },
  'proof.headsAt': { input: { hour: published.hour, after: 0, limit: 1000 }, answer: publication },
  'passkeys.list': { answer: { origin: 'https://papermoon.example', passkeys: [passkey] } },
  'passkeys.beginAdd': {
    answer: {
      challenge: assertionOptions.challenge,
      rp: { id: 'papermoon.example', name: 'Papermoon' },
      user: { id: '1Yb0VZcA8w3qRk5tJm7uHs2xPd9fGe4nLa6iQoWvTzU', name: 'luna', displayName: 'luna' },
      pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    },
  },
  'passkeys.add': {
    input: {
      name: 'my phone',
      credential: {
        id: assertion.id,
        rawId: assertion.rawId,
        type: 'public-key',
        response: { clientDataJSON: CLIENT_DATA, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ' },
      },
    },
    answer: passkey,
  },
  'passkeys.remove': { input: { id: 4 }, answer: done },
  'secondFactor.status': { answer: { isOn: true, enabledAt: LAUNCHED_AT, recoveryCodesLeft: 9 } },
  'secondFactor.begin': {
    answer: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Papermoon:luna?issuer=Papermoon&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
  },
  'secondFactor.enable': { input: { code: '492039' }, answer: { recoveryCodes: ['k7dm2-x9q4r', '3hf8w-z5t0n'] } },
  'secondFactor.disable': { answer: done },
  'secondFactor.renewRecoveryCodes': { answer: { recoveryCodes: ['k7dm2-x9q4r', '3hf8w-z5t0n'] } },
  'security.beginPasskeyConfirm': {
    answer: {
      ...assertionOptions,
      allowCredentials: [{ id: assertion.id, type: 'public-key', transports: ['internal'] }],
    },
  },
  'security.confirm': { input: { password: 'a long secret' }, answer: { ok: true, until: '2026-03-01T12:15:00.000Z' } },
  'security.changePassword': {
    input: { password: 'a long secret', newPassword: 'another long secret', revokeKeys: true },
    answer: { ok: true, sessionsEnded: 2, keysRevoked: 1 },
  },
  'security.changeWallet': {
    input: { password: 'a long secret', wallet: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' },
    answer: done,
  },
  'security.email': {
    answer: { email: 'luna@papermoon.example', isVerified: true, canVerify: true, pending: null },
  },
  'security.changeEmail': {
    input: { password: 'a long secret', email: 'luna@moon.example' },
    answer: {
      email: 'luna@papermoon.example',
      isVerified: true,
      canVerify: true,
      pending: { email: 'luna@moon.example', expiresAt: '2026-03-02T12:00:00.000Z' },
    },
  },
  'security.sendEmailLink': {
    answer: { email: 'luna@papermoon.example', isVerified: false, canVerify: true, pending: null },
  },
  'security.verifyEmail': { input: { token: 'Zk3r0uWg7hYpQ2vXn8cTbL5sMdJ1aFeRiOuKyGtVwBc' }, answer: done },
  'security.sessions': {
    answer: [
      {
        id: '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e21',
        isThis: true,
        browser: 'Firefox 144 on Linux',
        address: '203.0.113.7',
        createdAt: LAUNCHED_AT,
        lastUsedAt: TRADED_AT,
        expiresAt: '2026-03-31T12:05:00.000Z',
      },
    ],
  },
  'security.endSession': { input: { id: '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e21' }, answer: done },
  'security.endOtherSessions': { answer: { ok: true, sessionsEnded: 2 } },
  'site.settings': { answer: { communityUrl: 'https://x.com/', isSettingUp: false } },
  'site.parameters': {
    answer: {
      tradingFee: '0.003',
      launchFee: '0.02',
      supply: '1000000000',
      virtualSol: '30',
      startingBalance: '100',
      decimals: { sol: 9, token: 6, price: 18 },
      solPriceUsd: '200',
      ordersUnderWay: 8,
      rateLimits: [
        { name: 'read', perAddress: { calls: 1_200, seconds: 10 }, perAccount: null },
        {
          name: 'write',
          perAddress: { calls: 1_200, seconds: 10 },
          perAccount: { calls: 600, seconds: 10 },
        },
      ],
      caller: {
        kind: 'key',
        userId: 3,
        key: {
          id: 2,
          name: 'market bot',
          scopes: ['read', 'trade'],
          expiresAt: '2026-06-01T00:00:00.000Z',
          spendingLimit: '10',
          spentToday: '2.5',
          leftToday: '7.5',
          resetsAt: '2026-03-02T00:00:00.000Z',
        },
      },
    },
  },
  'tokens.list': { input: { search: 'moon', sort: 'mcap-high', limit: 50 }, answer: [token] },
  'tokens.byIds': { input: { ids: '7' }, answer: [token] },
  'tokens.figures': {
    input: { ids: '7' },
    answer: [
      {
        id: 7,
        holders: 1,
        areHoldersExact: true,
        sparkline: ['0.00000003', '0.00000003', '0.000000032027'],
      },
    ],
  },
  'tokens.movers': { answer: { fresh: [token], rising: [token], hot: [token] } },
  'tokens.tape': { answer: [{ ...buyTrade, tokenName: 'Paper Moon', tokenSymbol: 'MOON', emoji: '🌙' }] },
  'tokens.get': { input: { id: 7 }, answer: token },
  'tokens.trades': { input: { id: 7, limit: 50, from: LAUNCHED_AT }, answer: [buyTrade] },
  'history.trades': {
    input: { limit: 50, from: LAUNCHED_AT },
    answer: [{ ...buyTrade, tokenName: 'Paper Moon', tokenSymbol: 'MOON', emoji: '🌙' }],
  },
  'history.candles': { input: { id: 7, interval: '1m', from: LAUNCHED_AT }, answer: [{ ...candle, seq: 1 }] },
  'tokens.holders': {
    input: { id: 7 },
    answer: [{ userId: 3, username: 'luna', isBot: false, rank: 1, amount: HELD.amount }],
  },
  'tokens.chart': {
    input: { id: 7, timeframe: '1H', interval: '15s' },
    answer: { ...chart, timeframe: '1H', width: 15 },
  },
  'past.at': {
    input: { tokenId: 7, time: '2026-03-01T12:06:00.000Z' },
    answer: { tokenId: 7, seq: 1, time: TRADED_AT },
  },
  'past.moment': {
    input: { tokenId: 7, seq: 1 },
    answer: {
      tokenId: 7,
      seq: 1,
      time: TRADED_AT,
      lastSeq: 41,
      previousSeq: 0,
      nextSeq: 2,
      event: { type: 'trade', trade: buyTrade },
      token,
      holdersCount: 1,
      holders: [{ userId: 3, username: 'luna', isBot: false, rank: 1, amount: BOUGHT }],
      trades: [buyTrade],
    },
  },
  'past.chart': { input: { tokenId: 7, seq: 1, timeframe: '24H' }, answer: chart },
  'past.steps': {
    input: { tokenId: 7, after: 0, limit: 1 },
    answer: { tokenId: 7, after: 0, lastSeq: 41, nextAfter: 1, holdersCount: 0, holders: [], events: [buyEvent] },
  },
  'past.bag': {
    input: { tokenId: 7, seq: 1 },
    answer: {
      tokenId: 7,
      seq: 1,
      amount: BOUGHT,
      cashOutValue: CASH_OUT,
      now: { amount: BOUGHT, cost: '1', cashOutValue: CASH_OUT, sameBag: CASH_OUT },
    },
  },
  'tokens.rugStory': {
    input: { id: 7 },
    answer: {
      tokenId: 7,
      creator: token.creator,
      launchedAt: LAUNCHED_AT,
      ruggedAt: '2026-03-01T18:30:00.000Z',
      ruggedAmount: solText(realSol(victim.pool)),
      totalTrades: 2,
      peakMarketCap: toMarketCap(victim.pool),
      holders: 1,
      lost: solText(victim.solIn),
      losers: [
        {
          rank: 1,
          userId: 5,
          username: 'rosa',
          isBot: false,
          amount: tokensText(victim.tokensOut),
          cost: solText(victim.solIn),
        },
      ],
    },
  },
  'tokens.markedTrades': { input: { id: 7 }, answer: [{ seq: 1, side: 'buy', userId: 3, createdAt: TRADED_AT }] },
  'tokens.launch': {
    input: {
      name: 'Paper Moon',
      symbol: 'MOON',
      emoji: '🌙',
      description: 'A moon of paper.',
      website: 'https://moon.example',
      initialBuyAmount: '1',
    },
    answer: { id: 7, token },
  },
  'orders.list': { input: { tokenId: 7, limit: 50, from: LAUNCHED_AT }, answer: [placedOrder] },
  'orders.get': {
    input: { key: 'order-1' },
    answer: {
      status: 'filled',
      ...placedOrder,
      answer: { tokensOut: buyTrade.tokenAmount, newPrice: buyTrade.spotPrice, trade: buyTrade, position },
    },
  },
  'trading.buy': {
    input: { tokenId: 7, solAmount: '1', minTokensOut: '32000000', requestId: 'order-1' },
    answer: { tokensOut: buyTrade.tokenAmount, newPrice: buyTrade.spotPrice, trade: buyTrade, position },
  },
  'trading.sell': {
    input: { tokenId: 7, tokenAmount: BOUGHT, minSolOut: '0.99', requestId: 'order-2' },
    answer: {
      solOut: CASH_OUT,
      newPrice: sellTrade.spotPrice,
      trade: sellTrade,
      position: { ...position, balance: '99.974008999', amount: '0', cost: '0' },
    },
  },
  'trading.quote': {
    input: { side: 'buy', tokenId: 7, solAmount: '1' },
    answer: {
      side: 'buy',
      tokenId: 7,
      seq: 0,
      solAmount: '1',
      tokenAmount: buyTrade.tokenAmount,
      fee: buyTrade.fee,
      launchFee: null,
      price: buyTrade.price,
      currentPrice: LAUNCH_PRICE,
      newPrice: buyTrade.spotPrice,
      priceImpact: '6.76',
      newMarketCap: token.marketCap,
    },
  },
  'trading.position': { input: { tokenId: 7 }, answer: position },
  'trading.rug': {
    input: { id: 7, requestId: 'order-3' },
    answer: { ruggedAmount: rugEvent.amount, balance: '99.977' },
  },
  'uploads.create': {
    answer: {
      uploadURL:
        'https://papermoon.example/objects/uploads/3-0f8e2b7c4d1a49f6a1b2c3d4e5f60718?expires=1772367000&signature=Yx3',
    },
  },
  'uploads.setProfilePicture': {
    input: { profilePictureUrl: 'https://papermoon.example/objects/uploads/3-0f8e2b7c4d1a49f6a1b2c3d4e5f60718' },
    answer: {
      profilePictureUrl: '/objects/pictures/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.webp',
    },
  },
  'search.everything': {
    input: { query: 'lun' },
    answer: {
      tokens: [
        {
          id: 7,
          name: 'Lunar Paper',
          symbol: 'LUNA',
          emoji: '🌙',
          currentPrice: HELD.currentPrice,
          marketCap: token.marketCap,
          ruggedAt: null,
        },
      ],
      players: [{ id: 3, username: 'luna', isBot: false, emoji: null, profilePictureUrl: null }],
    },
  },
  'users.closedWin': {
    input: { userId: 3, tokenId: 7 },
    answer: {
      win: {
        user: { id: 3, username: 'luna', isBot: false },
        token: { id: 7, name: 'Paper Moon', symbol: 'MOON', emoji: '🌙' },
        paid: '2.5',
        received: '4.125',
        profit: '1.625',
        profitPercent: '65.00',
        trades: 3,
        beganAt: LAUNCHED_AT,
        endedAt: TRADED_AT,
      },
    },
  },
  'users.results': {
    input: { id: 3 },
    answer: { closedProfit: '7.25', closedPositions: 9, wonPositions: 4, openProfit: '-0.5', openPositions: 2 },
  },
  'users.trades': {
    input: { id: 3, limit: 20 },
    answer: [
      {
        ...{ id: 71, seq: 12, ...TOKEN_NAMED, side: 'buy', solAmount: '2.5' },
        ...{ tokenAmount: '71241234.5', createdAt: LAUNCHED_AT, ruggedAt: null },
      },
    ],
  },
  'watchlist.get': { answer: { tokenIds: [7] } },
  'watchlist.add': { input: { id: 7 }, answer: { tokenIds: [7] } },
  'watchlist.remove': { input: { id: 7 }, answer: { tokenIds: [] } },
  'watchlist.merge': { input: { tokenIds: [7, 9] }, answer: { tokenIds: [7, 9] } },
  'users.launchRecord': { input: { id: 3 }, answer: { launched: 4, rugged: 1, ruggedAmount: '12.5' } },
  'users.profile': {
    input: { id: 3 },
    answer: {
      user: {
        id: 3,
        username: 'luna',
        isBot: false,
        emoji: null,
        about: null,
        profilePictureUrl: null,
        solBalance: '98.98',
        createdAt: LAUNCHED_AT,
      },
      holdings: [{ ...TOKEN_NAMED, amount: HELD.amount, ...WORTH, ruggedAt: null }],
      createdTokens: [
        {
          id: 7,
          name: 'Paper Moon',
          symbol: 'MOON',
          emoji: '🌙',
          createdAt: LAUNCHED_AT,
          currentPrice: HELD.currentPrice,
          liquidity: '0.997',
          ruggedAt: null,
        },
      ],
    },
  },
}

/** An example sentence of every error code. */
export const refusalExamples: Readonly<Record<DomainErrorCode | 'INTERNAL', string>> = {
  BAD_INPUT: 'id must be above 0.',
  NOT_ACCEPTABLE: 'This address answers with application/json, which your Accept header does not name.',
  PROOF_OF_WORK_NEEDED: 'Too many requests. Please try again in 300 seconds, or at once with a proof of work.',
  ALERT_REACHED: 'The price is there already. Please choose another one.',
  TOO_MANY_ALERTS: 'You already have 50 price alerts. Please remove one of them first.',
  PUSH_UNAVAILABLE: 'This server sends no push messages.',
  TOO_MANY_WEBHOOKS: 'You already have 5 webhooks. Please remove one of them first.',
  WEBHOOKS_UNAVAILABLE: 'This server calls no webhooks.',
  WEBHOOK_EXISTS: 'You already have a webhook at this address.',
  WEAK_PASSWORD: 'This password is too easy to guess. Please choose another one.',
  EMAIL_LINK_INVALID: 'This link is good no more. You can ask for a new one in the settings.',
  RESET_CODE_INVALID: 'Invalid or expired reset code.',
  PASSKEY_INVALID: 'This passkey was not accepted. Please try again, or use another way in.',
  NOT_SIGNED_IN: 'Please login to do this.',
  INVALID_CREDENTIALS: 'Invalid credentials.',
  SECOND_FACTOR_NEEDED: 'Please enter the six digits of your authenticator app, or a recovery code.',
  SECOND_FACTOR_INVALID: 'This code is not valid, or it was used already. Please wait for the next one.',
  API_KEY_INVALID: 'This API key is not valid.',
  KEY_EXPIRED: 'This API key has expired. Please make a new one.',
  KEY_NETWORK_NOT_ALLOWED: 'This API key does not work from your network.',
  API_KEY_NOT_ALLOWED: 'This API key lacks the scope "trade".',
  ACCOUNT_SUSPENDED: 'Your account is suspended: you can sell what you hold, but not buy, launch or rug.',
  ACCOUNT_FROZEN: 'This account is frozen: many accounts of one person.',
  CROSS_ORIGIN: 'Requests from other sites are refused.',
  NOT_YOURS: 'This belongs to somebody else.',
  CONFIRMATION_NEEDED: 'Please confirm that it is you, then try again.',
  WRONG_PASSWORD: 'This is not your password.',
  WRONG_CODE: 'This code is not valid, or it was used already. Please wait for the next one.',
  EXPORT_LINK_INVALID: 'This download is not open any more. Please ask for it again in Settings.',
  UPLOAD_LINK_INVALID: 'This upload address is not valid.',
  NOT_FOUND: 'There is nothing at this address.',
  TOKEN_NOT_FOUND: 'Token not found.',
  MOMENT_NOT_FOUND: 'There is no such moment: the last number of this token is 41.',
  UPLOAD_NOT_FOUND: 'There is no uploaded picture at this address. Please upload it again.',
  FOREIGN_HOST: 'This server does not serve the host that was asked for.',
  METHOD_NOT_ALLOWED: 'This address takes POST only.',
  USERNAME_TAKEN: 'This username, or one that looks like it, is already taken.',
  EMAIL_TAKEN: 'This e-mail address is already registered.',
  TOKEN_CLOSED: 'This token was rugged and can no longer be traded.',
  SECOND_FACTOR_ON: 'Your account has an authenticator app already. Please switch it off first.',
  SECOND_FACTOR_OFF: 'Your account has no authenticator app.',
  SETUP_EXPIRED: 'This setup has expired. Please begin again.',
  PASSKEY_EXISTS: 'This passkey has been added before.',
  UPLOAD_EXISTS: 'This upload address was used already. Please ask for a new one.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'Please send the request as application/json.',
  NOT_A_PICTURE: 'This file is not a picture that can be read. Please choose a PNG, JPEG, WebP, GIF or AVIF.',
  AMOUNT_TOO_LARGE: 'The amount is too large.',
  INSUFFICIENT_BALANCE: 'Insufficient balance: you have 0.5 SOL and this needs 1 SOL.',
  INSUFFICIENT_TOKENS: 'Insufficient tokens: you hold 12.5.',
  NET_WORTH_TOO_HIGH: 'Your net worth is 42 SOL. An account can be reset when it is under 10 SOL.',
  OUTPUT_IS_ZERO: 'The amount is too small to trade: nothing would be paid out.',
  REQUEST_KEY_REUSED: 'This idempotency key was already used for another order.',
  SLIPPAGE_EXCEEDED: 'The price has moved: you would receive 31999999, less than your minimum of 32000000.',
  SPENDING_LIMIT_REACHED:
    'This API key may spend 10 SOL a day: 0.5 SOL is left until 2026-03-02 00:00 UTC, and this needs 1 SOL.',
  TOO_MANY_PASSKEYS: 'You already have 20 passkeys. Please remove one of them first.',
  PASSKEYS_UNAVAILABLE: 'Passkeys work at an https address or at localhost only.',
  WATCHLIST_FULL: 'You already watch 200 tokens. Please take the star off one of them first.',
  TOO_MANY_KEYS: 'You already have 10 API keys. Please revoke one of them first.',
  RATE_LIMITED: 'Too many requests. Please try again in 7 seconds.',
  RESET_TOO_SOON: 'You can reset your account once a day. Please come back in 3 hours.',
  TOO_MANY_ORDERS: 'You already have 8 orders under way. Please wait for their answers.',
  BUSY: 'The market is busy and your order was not placed. Please try again in a moment.',
  OUTCOME_UNKNOWN:
    'It is not known whether your order was placed. Repeat it with the idempotency key order-1: it is never placed twice.',
  DATABASE_AWAY: 'The market is out of reach for a moment. Please try again.',
  STORAGE_AWAY: 'Pictures cannot be stored or read for a moment. Please try again.',
  INTERNAL: 'Something went wrong on our side.',
}
