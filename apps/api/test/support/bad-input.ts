import { NOTICE_KINDS } from '@papermoon/contract/notices'
import { WEBHOOK_EVENTS } from '@papermoon/contract/webhooks'
import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'

/** Values that no text field takes. In the lists below `undefined` leaves the field out. */
const NOT_TEXT = [null, 5, true, [], {}] as const
const HIDDEN = ['a\u0000b', 'a\u202eb', 'a\u200bb', 'a\ud800b'] as const

const BAD_ID = [
  undefined,
  null,
  '',
  ' ',
  'abc',
  '1',
  -1,
  0,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e21,
  '0x1',
  '1e3',
  2_147_483_648,
  Number.MAX_SAFE_INTEGER + 1,
  true,
  [1],
  {},
] as const

const BAD_COUNT = [-1, 1.5, 'abc', '', '1e2', '0x1', Number.NaN, Number.POSITIVE_INFINITY, [], {}] as const

/** The last one is beyond the end of every token. */
const BAD_SEQ = [undefined, null, ...BAD_COUNT, Number.MAX_SAFE_INTEGER + 1, Number.MAX_SAFE_INTEGER] as const

/** Lists of ids as one text; `max` ids are allowed. */
const badIdList = (max: number) => [
  ...[undefined, '', ' ', ',', '1,', ',1', '1,,2', '1 2', '1;2', 'a', '0', '-1', '1.5', '1e3', '2147483648', '1\u0000'],
  Array.from({ length: max + 1 }, (_, index) => index + 1).join(','),
  '9'.repeat(5_000),
  [],
  {},
]

const BAD_TIME = [
  ...[undefined, null, 5, '', ' ', 'now', '2026', '2026-01-01', '2026-01-01T00:00', '2026-01-01T00:00:00'],
  ...['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '9999-99-99T00:00:00Z', 'x'.repeat(5_000), [], {}],
] as const

const MISSING_PLAY = '7b0e6a52-3a53-4f0f-9d5b-0f6a1c1d2e3f'
const BAD_PLAY = [undefined, null, 5, '', 'x', MISSING_PLAY.slice(1), `${MISSING_PLAY}0`, 'x'.repeat(5_000), [], {}]

/** For a bound that may be left out. */
const BAD_RANGE_TIME = [...BAD_TIME.slice(1), '1969-12-31T23:59:59Z']

const NOT_AMOUNT = [
  '-1',
  '-0.5',
  'NaN',
  'Infinity',
  '1e3',
  '0x10',
  '1,5',
  '1.2.3',
  '1_000',
  'one',
  '١',
  '9'.repeat(41),
  '9'.repeat(30),
] as const

/** Refused as an amount, be it a number or a text. */
const NO_AMOUNT = [
  null,
  true,
  [],
  {},
  '',
  '0',
  0,
  -1,
  -1e-7,
  1e21,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
] as const

const BAD_AMOUNT = [
  undefined,
  null,
  0,
  -1,
  1e-13,
  1e21,
  Number.NaN,
  true,
  [],
  {},
  '',
  '   ',
  '0',
  '0.000',
  '0.0000000000001',
  ...NOT_AMOUNT,
] as const

const BAD_KEY = [null, 5, '', ' ', 'a b', 'ä', 'a'.repeat(65), [], {}] as const
const BAD_FLAG = [null, 'true', '', 0, 1, [], {}] as const
const BAD_LINK = [
  null,
  5,
  'example.org',
  'javascript:alert(1)',
  'ftp://example.org',
  'https://a b',
  'https://example.org/\ud800',
  'https://example.org/\u202e',
  'https://example.org/\u0000',
  `https://example.org/${'ä'.repeat(100)}`,
  `https://${'a'.repeat(200)}.org`,
] as const
/** Over REST, where it is part of the address, everything is text. */
const BAD_SEARCH = [undefined, '', '   ', 'x'.repeat(65), 'x'.repeat(5_000), 'a\u0000b', 'a\u202eb', 'a\u200bb', [], {}]
const badText = (charactersMax: number) => [
  undefined,
  ...NOT_TEXT,
  '',
  '   ',
  'x'.repeat(charactersMax + 1),
  'x'.repeat(5_000),
  ...HIDDEN,
]
const badOptionalText = (charactersMax: number) => [...NOT_TEXT, 'x'.repeat(charactersMax + 1), ...HIDDEN]

const BAD_EMAIL = [
  ...NOT_TEXT,
  '',
  '  ',
  'nobody',
  '@x',
  'a@',
  'a@b@c',
  'a b@c',
  `${'a'.repeat(250)}@b.org`,
  'a\u0000@b.org',
] as const

/** Encoded like real cursors of the default order, `newest`; the last one belongs to another order. */
const FORGED_CURSORS = [
  ['a', 1],
  ['newest', '2026-01-01T00:00:00Z', Number.MAX_SAFE_INTEGER],
  ['newest', '2026-01-01T00:00:00Z', 2_147_483_648],
  ['newest', '0000-01-01T00:00:00Z', 1],
  ['newest', '9999-99-99T00:00:00Z', 1],
  ['mcap-high', '1', 3_000_000_000],
].map((cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url'))

const BAD_TOTP = [null, 5, true, '', ' ', '12345', '1234567', 'abcdef', '-12345', '١٢٣٤٥٦', '1e4444', [], {}] as const
const BAD_FACTOR_CODE = [...BAD_TOTP, 'abcde-fghj', 'abcde-fghjkm', 'ábcde-fghjk', 'a'.repeat(5_000)] as const

const BASE64URL = 'AAAA'
const PUBLIC_KEY = { id: BASE64URL, rawId: BASE64URL, type: 'public-key' }
const ASSERTED = { clientDataJSON: BASE64URL, authenticatorData: BASE64URL, signature: BASE64URL }
const ATTESTED = { clientDataJSON: BASE64URL, attestationObject: BASE64URL }
const notCredentials = (response: Readonly<Record<string, unknown>>) => [
  undefined,
  ...NOT_TEXT,
  'text',
  { ...PUBLIC_KEY },
  { ...PUBLIC_KEY, response: {} },
  { ...PUBLIC_KEY, response, type: 'password' },
  { ...PUBLIC_KEY, response, id: 'a+b/' },
  { ...PUBLIC_KEY, response, id: 'A'.repeat(2_000) },
  { ...PUBLIC_KEY, response, rawId: null },
  { ...PUBLIC_KEY, response: { ...response, clientDataJSON: 5 } },
  { ...PUBLIC_KEY, response: { ...response, clientDataJSON: 'A'.repeat(9_000) } },
]
const BAD_ASSERTION = [...notCredentials(ASSERTED), { ...PUBLIC_KEY, response: { ...ASSERTED, userHandle: '=' } }]
const BAD_ATTESTATION = [
  ...notCredentials(ATTESTED),
  { ...PUBLIC_KEY, response: { ...ATTESTED, transports: 'usb' } },
  { ...PUBLIC_KEY, response: { ...ATTESTED, transports: Array.from({ length: 9 }, () => 'usb') } },
]
/** For calls that ask a signed-in player for the password again. */
const BAD_PASSWORD = [undefined, ...NOT_TEXT, '', ' ', 'wrong-1', 'x'.repeat(201)] as const

export interface BadInputRow {
  /** An input that passes its schema. */
  readonly valid: Readonly<Record<string, unknown>>
  /** The values to refuse, by field. */
  readonly bad: Readonly<Record<string, readonly unknown[]>>
  /** The field that holds an id; a well-formed id of nothing is answered with 404. */
  readonly id?: string
}

const byId: BadInputRow = { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' }
const none: BadInputRow = { valid: {}, bad: {} }

const PUSH_ENDPOINT = 'https://push.example.org/abc'
/** 65 bytes that begin like an uncompressed key. */
const PUSH_KEY = `B${'A'.repeat(86)}`

/** An upload of the first player; the test stores a picture under it. */
export const AN_UPLOAD = `1-${'0'.repeat(32)}`

/** The hour `publishLongAgo` publishes. */
const LONG_AGO = '2026-01-01T00:00:00Z'

/** Inserts a publication of heads: a server's own comes only with the next full hour. */
export async function publishLongAgo(db: TestDatabase['db']): Promise<void> {
  await sql`insert into head_publications (hour, published_at, tokens, digest)
    values (${LONG_AGO}, ${LONG_AGO}, 0, sha256(''))`.execute(db)
}

/** Bad input by procedure. Every procedure needs a row (bad-input.test.ts); several other tests walk them. */
export const badInputs: Readonly<Record<string, BadInputRow>> = {
  // Accepted only from a nearly bankrupt player, whom `prepare` in the tests makes.
  'account.prepareExport': none,
  'account.askDeletion': none,
  'account.undoDeletion': none,
  'account.events': {
    valid: {},
    bad: {
      limit: [0, -1, 1.5, 101, 'abc', '', '1e2', '0x1', Number.NaN, Number.POSITIVE_INFINITY],
      direction: ['', 'backward', 'FORWARD', [], {}],
      cursor: ['x', '1', '1-', `1-${'9'.repeat(40)}`, '999999999999999999-1', 'a\u0000b', [], {}],
    },
  },
  'account.declareBot': {
    valid: { isBot: true },
    bad: { isBot: [undefined, null, '', 'yes', 'true', 0, 1, [], {}] },
  },
  'account.reset': none,
  'auth.me': none,
  'auth.logout': none,
  'site.settings': none,
  'site.parameters': none,
  'auth.login': {
    valid: { email: 'player-1@papermoon.example', password: 'secret-1' },
    bad: {
      email: [undefined, ...BAD_EMAIL],
      password: [undefined, ...NOT_TEXT, '', ' ', 'wrong-1', 'x'.repeat(201)],
      totp: BAD_FACTOR_CODE,
    },
  },
  'auth.beginPasskeyLogin': none,
  // A valid credential needs a begun login and a passkey: see factor-inputs.ts.
  'auth.loginWithPasskey': { valid: {}, bad: { credential: BAD_ASSERTION } },
  'auth.register': {
    valid: { username: 'Newcomer', email: 'newcomer@papermoon.example', wallet: 'wallet', password: 'secret-1' },
    bad: {
      username: ['x', ...badText(32)],
      email: [undefined, ...BAD_EMAIL],
      wallet: [undefined, ...NOT_TEXT, '', '  ', 'w'.repeat(65), 'w\u0000', 'wället'],
      password: [undefined, ...NOT_TEXT, '', '12345', 'x'.repeat(201)],
    },
  },
  'auth.forgotPassword': {
    valid: { email: 'player-1@papermoon.example' },
    bad: { email: [undefined, ...BAD_EMAIL] },
  },
  'auth.resetPassword': {
    valid: { token: '000000', newPassword: 'secret-1' },
    bad: {
      token: [undefined, ...NOT_TEXT, '', ' ', '12345', '1234567', '12 456', 'abcdef', '-12345', '1e5000', '١٢٣٤٥٦'],
      newPassword: [undefined, ...NOT_TEXT, '', '12345', 'x'.repeat(201)],
      email: BAD_EMAIL,
    },
  },
  'live.market': {
    valid: {},
    bad: { lastEventId: [5, true, '', 'yesterday', '12', '0x10', 'x'.repeat(5_000), [], {}] },
  },
  'live.token': {
    valid: { tokenId: 1 },
    bad: { tokenId: BAD_ID, lastEventId: [5, '', ' ', '-1', '1.5', 'NaN', '1e3', '0x10', '9'.repeat(17), [], {}] },
  },
  'tokens.list': {
    valid: {},
    bad: {
      search: ['x'.repeat(65), 'a\u0000b', [], {}],
      sort: ['', 'oldest-first', 'NEWEST', [], {}],
      rugged: ['', 'no', 'HIDE', true, [], {}],
      limit: [0, -1, 1.5, 1_001, 'abc', '', '1e2', '0x1', Number.NaN, Number.POSITIVE_INFINITY],
      cursor: ['x', '1', 'x'.repeat(201), 'a\u0000b', ...FORGED_CURSORS, [], {}],
      direction: ['', 'backward', 'FORWARD', [], {}],
    },
  },
  'tokens.byIds': { valid: { ids: '1' }, bad: { ids: badIdList(200) } },
  'tokens.figures': { valid: { ids: '1' }, bad: { ids: badIdList(48) } },
  'tokens.movers': none,
  'tokens.tape': none,
  'tokens.get': byId,
  'tokens.trades': {
    ...byId,
    bad: {
      ...byId.bad,
      limit: [0, 1_001, ...BAD_COUNT],
      cursor: [0, Number.MAX_SAFE_INTEGER + 1, ...BAD_COUNT],
      from: BAD_RANGE_TIME,
      to: BAD_RANGE_TIME,
    },
  },
  'tokens.holders': {
    ...byId,
    bad: {
      ...byId.bad,
      limit: [0, 1_001, ...BAD_COUNT],
      cursor: [
        '',
        'x',
        '20',
        '20-7',
        '20-7-',
        '20-7--1',
        '20-7-1e3',
        `20-7-${'9'.repeat(15)}`,
        '-1-7-5',
        'a\u0000b',
        [],
        {},
      ],
    },
  },
  'history.candles': {
    ...byId,
    bad: {
      ...byId.bad,
      interval: ['', '2s', '1M', '60', 5, [], {}],
      limit: [0, 1_501, ...BAD_COUNT],
      cursor: BAD_RANGE_TIME,
      from: BAD_RANGE_TIME,
      to: BAD_RANGE_TIME,
    },
  },
  'history.trades': {
    valid: {},
    bad: {
      limit: [0, 1_001, ...BAD_COUNT],
      cursor: [0, Number.MAX_SAFE_INTEGER + 1, ...BAD_COUNT],
      from: BAD_RANGE_TIME,
      to: BAD_RANGE_TIME,
    },
  },
  'tokens.chart': {
    valid: { id: 1 },
    // The last one needs timeframe 1H.
    bad: { id: BAD_ID, timeframe: ['', '2H', '1h', 'all'], interval: ['', '2s', '1S', 5, 'AUTO', '5s'] },
    id: 'id',
  },
  'past.at': {
    valid: { tokenId: 1, time: '2026-01-01T00:00:00Z' },
    bad: { tokenId: BAD_ID, time: BAD_TIME },
    id: 'tokenId',
  },
  'past.moment': {
    valid: { tokenId: 1, seq: 1 },
    bad: { tokenId: BAD_ID, seq: BAD_SEQ },
    id: 'tokenId',
  },
  'past.chart': {
    valid: { tokenId: 1, seq: 1 },
    bad: { tokenId: BAD_ID, seq: BAD_SEQ, timeframe: ['', '2H', '1h', 'all'] },
    id: 'tokenId',
  },
  'past.steps': {
    valid: { tokenId: 1, after: 0 },
    bad: { tokenId: BAD_ID, after: BAD_SEQ, limit: [0, 501, ...BAD_COUNT] },
    id: 'tokenId',
  },
  'past.bag': {
    valid: { tokenId: 1, seq: 1 },
    bad: { tokenId: BAD_ID, seq: BAD_SEQ },
    id: 'tokenId',
  },
  'tokens.rugStory': byId,
  'tokens.markedTrades': byId,
  'tokens.launch': {
    valid: { name: 'Moon', symbol: 'MOON' },
    bad: {
      name: badText(32),
      symbol: ['ß'.repeat(10), 'ﬃ'.repeat(4), ...badText(10)],
      emoji: [null, 5, 'x', '🌙🌙', '🌙x', [], {}],
      description: badOptionalText(500),
      website: BAD_LINK,
      x: [
        'https://example.org',
        'https://x.com.example.org',
        'https://example.org/x.com',
        'https://t.me/a',
        ...BAD_LINK,
      ],
      telegram: [
        'https://example.org',
        'https://nott.me/a',
        'https://t.me@example.org',
        'https://x.com/a',
        ...BAD_LINK,
      ],
      initialBuyAmount: [
        ...[null, true, [], {}, '99.99', '1000', '0.0000000001', '.', ' . ', '-0', `.${'0'.repeat(5_000)}`],
        ...['0'.repeat(41), ' '.repeat(41), -1, -1e-7, 1e-10, 1e21, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
        ...NOT_AMOUNT,
      ],
      requestId: BAD_KEY,
      dryRun: BAD_FLAG,
    },
  },
  'trading.rug': {
    // No other row trades this token.
    valid: { id: 2 },
    bad: { id: BAD_ID, requestId: BAD_KEY, dryRun: BAD_FLAG },
    id: 'id',
  },
  'uploads.create': none,
  'uploads.setProfilePicture': {
    valid: { profilePictureUrl: `/objects/uploads/${AN_UPLOAD}` },
    bad: {
      profilePictureUrl: [
        undefined,
        ...NOT_TEXT,
        '',
        ' ',
        'cat.png',
        'https://example.org/cat.png',
        'javascript:alert(1)',
        'data:image/png;base64,AAAA',
        '/objects/uploads/',
        `/objects/uploads/1-${'0'.repeat(31)}`,
        `/objects/uploads/1-${'1'.repeat(32)}`,
        `/objects/uploads/2-${'0'.repeat(32)}`,
        `/objects/uploads/${AN_UPLOAD}\u0000`,
        `/objects/uploads/${AN_UPLOAD}?${'x'.repeat(2_048)}`,
      ],
    },
  },
  'orders.list': {
    valid: {},
    bad: {
      tokenId: BAD_ID.filter((id) => id !== undefined),
      limit: [0, 501, ...BAD_COUNT],
      cursor: ['', 'x', '1', '1-1', '1-4-1', `1-1-${'9'.repeat(40)}`, 'a\u0000b', [], {}],
      from: BAD_RANGE_TIME,
      to: BAD_RANGE_TIME,
    },
  },
  'orders.get': {
    valid: { key: 'listed-1' },
    bad: { key: [undefined, ...BAD_KEY] },
  },
  'trading.position': {
    valid: { tokenId: 1 },
    bad: { tokenId: BAD_ID },
    id: 'tokenId',
  },
  'trading.quote': {
    valid: { side: 'buy', tokenId: 1, solAmount: '1' },
    bad: {
      side: [undefined, null, '', 'BUY', 'rug', 5, [], {}],
      tokenId: BAD_ID,
      solAmount: BAD_AMOUNT,
      // The last ones belong to other sides.
      tokenAmount: [null, true, [], {}, ...NOT_AMOUNT, '1'],
      initialBuyAmount: [null, true, [], {}, ...NOT_AMOUNT, '1'],
    },
    id: 'tokenId',
  },
  'trading.buy': {
    valid: { tokenId: 1, solAmount: '1' },
    bad: {
      tokenId: BAD_ID,
      solAmount: ['100.000000001', 100.000000001, ...BAD_AMOUNT],
      minTokensOut: ['99999999999999', 99999999999999, ...NO_AMOUNT, ...NOT_AMOUNT],
      requestId: BAD_KEY,
      dryRun: BAD_FLAG,
    },
    id: 'tokenId',
  },
  'trading.sell': {
    valid: { tokenId: 1, tokenAmount: '1' },
    bad: {
      tokenId: BAD_ID,
      tokenAmount: ['999999999', 999999999, ...BAD_AMOUNT],
      minSolOut: ['999', 999, ...NO_AMOUNT, ...NOT_AMOUNT],
      requestId: BAD_KEY,
      dryRun: BAD_FLAG,
    },
    id: 'tokenId',
  },
  'keys.list': none,
  'keys.create': {
    valid: { name: 'bot', scopes: ['read'] },
    bad: {
      name: badText(40),
      scopes: [
        undefined,
        null,
        '',
        'read',
        {},
        [],
        [''],
        ['write'],
        ['read', 'all'],
        ['READ'],
        [5],
        ['read', 'read', 'read', 'read', 'read'],
      ],
      expiresAt: ['', 'tomorrow', '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', '2027-01-01', 5, true, [], {}],
      networks: [
        null,
        '10.0.0.0/8',
        {},
        [''],
        ['localhost'],
        ['10.0.0.0/33'],
        ['010.0.0.1'],
        [5],
        [null],
        [`::${'0'.repeat(60)}`],
        Array.from({ length: 21 }, (_, host) => `10.0.0.${host}`),
      ],
      spendingLimit: [true, [], {}, '', '0', 0, -1, 1e21, ...NOT_AMOUNT],
    },
  },
  'keys.revoke': { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'watchlist.get': none,
  'watchlist.add': { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'watchlist.remove': { valid: { id: 1 }, bad: { id: BAD_ID } },
  'watchlist.merge': {
    valid: { tokenIds: [1] },
    bad: {
      tokenIds: [undefined, null, '', '1', 1, {}, [0], ['1'], [1.5], [null], Array.from({ length: 201 }, () => 1)],
    },
  },
  'tape.today': none,
  'tape.play': none,
  'tape.buy': { valid: { id: MISSING_PLAY }, bad: { id: BAD_PLAY } },
  'tape.sell': { valid: { id: MISSING_PLAY }, bad: { id: BAD_PLAY } },
  'tape.follow': {
    valid: { id: MISSING_PLAY },
    bad: { id: BAD_PLAY, lastEventId: [5, '', ' ', '-1', '1.5', 'NaN', '1e3', '0x1', '99999', [], {}] },
  },
  'tape.result': {
    valid: { day: '2026-01-05' },
    bad: {
      day: [
        undefined,
        null,
        5,
        '',
        'today',
        '2026-1-5',
        '2026-02-30',
        '2026-01-05T00:00:00Z',
        'x'.repeat(5_000),
        [],
        {},
      ],
    },
  },
  'notices.list': none,
  'notices.live': {
    valid: {},
    bad: { lastEventId: [5, '', ' ', '-1', '1.5', 'NaN', '1e3', '0x10', '9'.repeat(17), [], {}] },
  },
  'notices.markRead': {
    valid: { ids: [1] },
    bad: {
      ids: [
        undefined,
        null,
        '',
        1,
        {},
        [],
        ['1'],
        [0],
        [-1],
        [1.5],
        [null],
        Array.from({ length: 101 }, (_, id) => id + 1),
      ],
    },
  },
  'notices.settings': none,
  'notices.setSettings': {
    valid: { muted: [] },
    bad: {
      muted: [undefined, null, '', 'rug', {}, [''], ['RUG'], ['all'], [5], Array(NOTICE_KINDS.length + 1).fill('rug')],
    },
  },
  'alerts.list': none,
  'alerts.create': {
    valid: { tokenId: 1, measure: 'percent', value: '50' },
    bad: {
      tokenId: BAD_ID,
      measure: [undefined, null, '', 'Price', 'market_cap', 5, [], {}],
      value: [
        ...[
          undefined,
          null,
          5,
          true,
          [],
          {},
          '',
          ' ',
          '1e3',
          '0x10',
          '1,5',
          '1.2.3',
          '.5',
          '5.',
          'NaN',
          'Infinity',
          '--1',
        ],
        ...['0', '-100', '-101', '9'.repeat(21), `0.${'0'.repeat(31)}`, '99999999999999999999'],
      ],
      direction: [null, '', 'up', 'Above', 5, [], {}, 'below'],
    },
    id: 'tokenId',
  },
  'alerts.remove': { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'push.state': none,
  'push.subscribe': {
    valid: { endpoint: PUSH_ENDPOINT, p256dh: PUSH_KEY, auth: 'A'.repeat(22) },
    bad: {
      endpoint: [
        ...[
          undefined,
          ...NOT_TEXT,
          '',
          ' ',
          'push',
          'http://push.example.org/',
          'ftp://push.example.org/',
          'https://a b/',
        ],
        ...[
          'https://u:p@push.example.org/',
          'https://push.example.org:8443/',
          'https://127.0.0.1/',
          'https://localhost/',
        ],
        ...['https://[::1]/', 'https://10.0.0.1/', 'https://2130706433/', 'https://169.254.169.254/latest'],
        ...[
          'https://[::ffff:10.0.0.1]/',
          'https://[fd00::1]/',
          'https://0/',
          `https://push.example.org/${'x'.repeat(1_000)}`,
        ],
      ],
      p256dh: [
        undefined,
        ...NOT_TEXT,
        '',
        PUSH_KEY.slice(1),
        `${PUSH_KEY}=`,
        `A${PUSH_KEY.slice(1)}`,
        'B'.repeat(5_000),
      ],
      auth: [undefined, ...NOT_TEXT, '', 'A'.repeat(21), 'A'.repeat(23), 'ä'.repeat(22)],
    },
  },
  'push.unsubscribe': {
    valid: { endpoint: PUSH_ENDPOINT },
    bad: {
      endpoint: [undefined, ...NOT_TEXT, '', ' ', 'push', 'http://push.example.org/', `https://${'x'.repeat(1_000)}`],
    },
  },
  'webhooks.list': none,
  'webhooks.create': {
    valid: { url: 'https://hooks.example.org/abc', events: ['trade'] },
    bad: {
      url: [
        ...[undefined, ...NOT_TEXT, '', ' ', 'hook', 'http://hooks.example.org/', 'ftp://hooks.example.org/'],
        ...['https://a b/', 'https://hooks.example.org/#x', 'https://u:p@hooks.example.org/', 'https://'],
        ...['https://hooks.example.org:8443/', 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/'],
        ...['https://10.0.0.1/', 'https://100.64.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0/'],
        ...['https://[::ffff:10.0.0.1]/', 'https://[fd00::1]/', 'https://[64:ff9b::a00:1]/', 'https://224.0.0.1/'],
        `https://hooks.example.org/${'x'.repeat(500)}`,
      ],
      format: [null, '', 'Discord', 'slack', 5, [], {}],
      events: [
        undefined,
        null,
        '',
        'trade',
        {},
        [],
        [''],
        ['trades'],
        ['trade', 5],
        Array(WEBHOOK_EVENTS.length + 1).fill('trade'),
      ],
      tokenIds: ['', '1', 1, {}, [], [0], ['1'], [1.5], [null], Array.from({ length: 51 }, () => 1)],
    },
  },
  'webhooks.test': { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'webhooks.rotate': { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'webhooks.remove': { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'leaderboard.get': none,
  'leaderboard.allTime': none,
  'leaderboard.creators': none,
  'leaderboard.rugs': none,
  'leaderboard.rank': { valid: { userId: 1 }, bad: { userId: BAD_ID }, id: 'userId' },
  'leaderboard.bots': none,
  'portfolio.get': {
    valid: {},
    bad: { userId: [2_000_000_000, ...BAD_ID.filter((value) => value !== undefined)] },
  },
  'portfolio.summary': none,
  'portfolio.netWorth': none,
  'portfolio.history': {
    valid: {},
    bad: { timeframe: [null, '', '1H', '24h', '90D', 5, true, [], {}] },
  },
  'portfolio.dashboard': none,
  'proof.summary': none,
  'proof.chain': {
    valid: { id: 1 },
    bad: { id: BAD_ID, after: [1_000, ...BAD_COUNT], limit: [0, 501, ...BAD_COUNT] },
    id: 'id',
  },
  'proof.checkpoints': byId,
  'proof.heads': {
    valid: {},
    bad: { after: [2_147_483_648, ...BAD_COUNT], limit: [0, 10_001, ...BAD_COUNT] },
  },
  'proof.headsAt': {
    valid: { hour: LONG_AGO },
    bad: {
      hour: [
        ...[undefined, ...NOT_TEXT, '', ' ', 'now', '2026', '2026-01-01', '2026-01-01T00:00', '2026-01-01T00:00:00'],
        ...['2026-01-01T00:30:00Z', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00+01:00', '2026-02-30T00:00:00Z'],
        ...[
          '0000-01-01T00:00:00Z',
          '1999-01-01T00:00:00Z',
          '9999-99-99T00:00:00Z',
          '9999-01-01T00:00:00Z',
          'x'.repeat(5_000),
        ],
      ],
      after: [2_147_483_648, ...BAD_COUNT],
      limit: [0, 10_001, ...BAD_COUNT],
    },
  },
  'security.confirm': {
    valid: { password: 'secret-1' },
    bad: {
      password: [undefined, ...NOT_TEXT, '', ' ', 'wrong-1', 'x'.repeat(201)],
      // The last one is refused because the password already is a proof.
      totp: [...BAD_TOTP, '123456'],
      passkey: BAD_ASSERTION.slice(1),
    },
  },
  // Needs a player with a passkey: see factor-inputs.ts.
  'security.beginPasskeyConfirm': none,
  'passkeys.list': none,
  'passkeys.beginAdd': none,
  // A valid credential comes from factor-inputs.ts.
  'passkeys.add': {
    valid: { name: 'my phone' },
    bad: { name: badText(40), credential: BAD_ATTESTATION },
  },
  'passkeys.remove': { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'secondFactor.status': none,
  'secondFactor.begin': none,
  // A valid code comes from factor-inputs.ts.
  'secondFactor.enable': {
    valid: { code: '123456' },
    bad: { code: [undefined, ...BAD_TOTP] },
  },
  // Need a player with an authenticator app: see factor-inputs.ts.
  'secondFactor.disable': none,
  'secondFactor.renewRecoveryCodes': none,
  'security.changePassword': {
    valid: { password: 'secret-1', newPassword: 'another-secret-1' },
    bad: {
      password: BAD_PASSWORD,
      newPassword: [undefined, ...NOT_TEXT, '', '12345', 'x'.repeat(201)],
      revokeKeys: [null, 1, 'true', [], {}],
    },
  },
  'security.changeWallet': {
    valid: { password: 'secret-1', wallet: 'wallet' },
    bad: { password: BAD_PASSWORD, wallet: [undefined, ...NOT_TEXT, '', '  ', 'w'.repeat(65), 'w\u0000', 'wället'] },
  },
  'security.email': none,
  'security.changeEmail': {
    valid: { password: 'secret-1', email: 'elsewhere@papermoon.example' },
    bad: { password: BAD_PASSWORD, email: [undefined, ...BAD_EMAIL] },
  },
  'security.sendEmailLink': none,
  'security.verifyEmail': {
    valid: { token: 'a'.repeat(43) },
    bad: {
      token: [undefined, ...NOT_TEXT, '', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, 'a'.repeat(5_000)],
    },
  },
  'security.sessions': none,
  'security.endSession': {
    valid: { id: '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e21' },
    bad: { id: [undefined, ...NOT_TEXT, '', '1', 'x'.repeat(36), '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e2'] },
  },
  'security.endOtherSessions': none,
  'search.everything': { valid: { query: 'moon' }, bad: { query: BAD_SEARCH } },
  'users.closedWin': {
    valid: { userId: 1, tokenId: 1 },
    bad: { userId: BAD_ID, tokenId: BAD_ID },
  },
  'users.results': byId,
  'users.trades': { ...byId, bad: { ...byId.bad, limit: [0, 101, ...BAD_COUNT], cursor: [0, ...BAD_COUNT] } },
  'users.launchRecord': byId,
  'stickers.list': byId,
  'users.profile': byId,
}

/** The row of a procedure. Throws an error that names the missing line. */
export function getBadInputRow(path: string): BadInputRow {
  const row = badInputs[path]
  if (row === undefined) throw new Error(`add a row for ${path} to badInputs in apps/api/test/support/bad-input.ts`)
  return row
}

/** Inputs with one unknown property: an arbitrary name, a prototype's, and each field misspelt. */
export function unknownInputs({ valid, bad }: BadInputRow): readonly UnknownInput[] {
  const fields = Object.keys(bad)
  const misspelt = fields.flatMap((field) =>
    [misspell(field), field.toUpperCase(), `_${field}`].map((name) => ({ name, field })),
  )
  const names = [{ name: 'zzz', field: null }, { name: 'toString', field: null }, ...misspelt]
  return names
    .filter(({ name }) => !fields.includes(name))
    .map(({ name, field }) => ({
      name,
      field,
      input: { ...valid, [name]: field === null ? 1 : String(valid[field] ?? '1') },
    }))
}

export interface UnknownInput {
  readonly name: string
  /** The field that is misspelt; null for an arbitrary name. */
  readonly field: string | null
  readonly input: Readonly<Record<string, unknown>>
}

/** `minTokensOut` becomes `minTokenOut`, `seq` becomes `seqq`; a shorter name is doubled. */
function misspell(field: string): string {
  if (field.length < 3) return `${field}${field}`
  if (field.length === 3) return `${field}${field.at(-1)}`
  return field.includes('s') ? field.replace('s', '') : `${field.slice(0, 2)}${field.slice(3)}`
}

/** Inputs that are expensive to validate: deep, long, or with thousands of properties. */
export function heavyInputs({ valid, bad }: BadInputRow): readonly object[] {
  const [field = 'zzz'] = Object.keys(bad)
  return [
    { ...valid, [field]: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) },
    { ...valid, [field]: JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`) },
    { ...valid, [field]: new Array(10_000).fill(0) },
    { ...valid, ...Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, i])) },
    { ...valid, ['k'.repeat(20_000)]: 1 },
    { ...valid, zzz: 'x'.repeat(20_000) },
  ]
}

/** Valid inputs with superjson annotations that would make the server construct objects. */
export function typedEnvelopes({ valid, bad }: BadInputRow): readonly object[] {
  const [field = 'zzz'] = Object.keys(bad)
  const types = ['bigint', 'Date', 'regexp', 'set', 'map', 'number', 'URL', 'Error', ['typed-array', 'Uint8Array']]
  return types.flatMap((type) => [
    { json: valid, meta: { values: [type] } },
    { json: { ...valid, [field]: '1' }, meta: { values: { [field]: [type] } } },
  ])
}

/** Inputs that are no objects. */
export const NOT_OBJECTS = ['text', 5, true, [1]] as const
