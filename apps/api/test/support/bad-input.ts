import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'

/** Values that a field of a kind never takes; `undefined` is a field that is missing. */
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

/** What is no amount in either form. */
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
const BAD_LINK = [
  null,
  5,
  'example.org',
  'javascript:alert(1)',
  'ftp://example.org',
  'https://a b',
  `https://${'a'.repeat(200)}.org`,
] as const
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

/** Written as a list writes its own, for the order of a list without `sort` unless it is another's. */
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
/** Of a signed-in player who has to give it again. */
const BAD_PASSWORD = [undefined, ...NOT_TEXT, '', ' ', 'wrong-1', 'x'.repeat(201)] as const

export interface BadInputRow {
  /** An input that is right, for what it is worth. */
  readonly valid: Readonly<Record<string, unknown>>
  /** By field, the values that it must refuse. */
  readonly bad: Readonly<Record<string, readonly unknown[]>>
  readonly isSignedIn?: true
  /** The field whose id, when right but nobody's, is answered with 404. */
  readonly id?: string
}

const byId: BadInputRow = { valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' }
const none: BadInputRow = { valid: {}, bad: {} }

/** An upload of the first player, which a test puts there. */
export const AN_UPLOAD = `1-${'0'.repeat(32)}`

/** An hour that `publishLongAgo` publishes something for. */
const LONG_AGO = '2026-01-01T00:00:00Z'

/** So that there is something published, however soon a server publishes for its own hour. */
export async function publishLongAgo(db: TestDatabase['db']): Promise<void> {
  await sql`insert into head_publications (hour, published_at, tokens, digest)
    values (${LONG_AGO}, ${LONG_AGO}, 0, sha256(''))`.execute(db)
}

/** Every procedure: what it refuses. A procedure without a row fails the test. */
export const badInputs: Readonly<Record<string, BadInputRow>> = {
  // Taken of a player who has next to nothing, whom a test makes first.
  'account.prepareExport': { isSignedIn: true, valid: {}, bad: {} },
  'account.askDeletion': { isSignedIn: true, valid: {}, bad: {} },
  'account.undoDeletion': { isSignedIn: true, valid: {}, bad: {} },
  'account.events': {
    isSignedIn: true,
    valid: {},
    bad: {
      limit: [0, -1, 1.5, 101, 'abc', '', '1e2', '0x1', Number.NaN, Number.POSITIVE_INFINITY],
      direction: ['', 'backward', 'FORWARD', [], {}],
      cursor: ['x', '1', '1-', `1-${'9'.repeat(40)}`, '999999999999999999-1', 'a\u0000b', [], {}],
    },
  },
  'account.reset': { isSignedIn: true, valid: {}, bad: {} },
  'auth.me': none,
  'auth.logout': none,
  'site.settings': none,
  'auth.login': {
    valid: { email: 'player-1@papermoon.example', password: 'secret-1' },
    bad: {
      email: [undefined, ...BAD_EMAIL],
      password: [undefined, ...NOT_TEXT, '', ' ', 'wrong-1', 'x'.repeat(201)],
      totp: BAD_FACTOR_CODE,
    },
  },
  'auth.beginPasskeyLogin': none,
  // Taken of a browser that began a login, with a passkey that a test makes first.
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
      limit: [0, -1, 1.5, 1_001, 'abc', '', '1e2', '0x1', Number.NaN, Number.POSITIVE_INFINITY],
      cursor: ['x', '1', 'x'.repeat(201), 'a\u0000b', ...FORGED_CURSORS, [], {}],
      direction: ['', 'backward', 'FORWARD', [], {}],
    },
  },
  'tokens.movers': none,
  'tokens.tape': none,
  'tokens.get': byId,
  'tokens.trades': byId,
  'tokens.holders': byId,
  'tokens.chart': { valid: { id: 1 }, bad: { id: BAD_ID, timeframe: ['', '2H', '1h', 'all'] }, id: 'id' },
  'tokens.rugStory': byId,
  'tokens.markedTrades': byId,
  'tokens.launch': {
    isSignedIn: true,
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
    },
  },
  'trading.rug': {
    // A token that no other row trades.
    valid: { id: 2 },
    bad: { id: BAD_ID, requestId: BAD_KEY },
    isSignedIn: true,
    id: 'id',
  },
  'uploads.create': { isSignedIn: true, valid: {}, bad: {} },
  'uploads.setProfilePicture': {
    isSignedIn: true,
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
  'trading.position': { isSignedIn: true, valid: { tokenId: 1 }, bad: { tokenId: BAD_ID }, id: 'tokenId' },
  'trading.buy': {
    isSignedIn: true,
    valid: { tokenId: 1, solAmount: '1' },
    bad: {
      tokenId: BAD_ID,
      solAmount: ['100.000000001', 100.000000001, ...BAD_AMOUNT],
      minTokensOut: ['99999999999999', 99999999999999, ...NO_AMOUNT, ...NOT_AMOUNT],
      requestId: BAD_KEY,
    },
    id: 'tokenId',
  },
  'trading.sell': {
    isSignedIn: true,
    valid: { tokenId: 1, tokenAmount: '1' },
    bad: {
      tokenId: BAD_ID,
      tokenAmount: ['999999999', 999999999, ...BAD_AMOUNT],
      minSolOut: ['999', 999, ...NO_AMOUNT, ...NOT_AMOUNT],
      requestId: BAD_KEY,
    },
    id: 'tokenId',
  },
  'keys.list': { isSignedIn: true, valid: {}, bad: {} },
  'keys.create': {
    isSignedIn: true,
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
        ['read', 'read', 'read'],
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
    },
  },
  'keys.revoke': { isSignedIn: true, valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'leaderboard.get': none,
  'portfolio.get': {
    isSignedIn: true,
    valid: {},
    bad: { userId: [2_000_000_000, ...BAD_ID.filter((value) => value !== undefined)] },
  },
  'portfolio.summary': { isSignedIn: true, valid: {}, bad: {} },
  'portfolio.netWorth': { isSignedIn: true, valid: {}, bad: {} },
  'portfolio.history': {
    isSignedIn: true,
    valid: {},
    bad: { timeframe: [null, '', '1H', '24h', '90D', 5, true, [], {}] },
  },
  'portfolio.dashboard': { isSignedIn: true, valid: {}, bad: {} },
  'proof.summary': none,
  'proof.chain': {
    valid: { id: 1 },
    bad: { id: BAD_ID, after: [1_000, ...BAD_COUNT], limit: [0, 501, ...BAD_COUNT] },
    id: 'id',
  },
  'proof.checkpoints': byId,
  'proof.heads': { valid: {}, bad: { after: [2_147_483_648, ...BAD_COUNT], limit: [0, 10_001, ...BAD_COUNT] } },
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
    isSignedIn: true,
    valid: { password: 'secret-1' },
    bad: {
      password: [undefined, ...NOT_TEXT, '', ' ', 'wrong-1', 'x'.repeat(201)],
      // Also for being a second proof.
      totp: [...BAD_TOTP, '123456'],
      passkey: BAD_ASSERTION.slice(1),
    },
  },
  // Taken of a player with a passkey.
  'security.beginPasskeyConfirm': { isSignedIn: true, valid: {}, bad: {} },
  'passkeys.list': { isSignedIn: true, valid: {}, bad: {} },
  'passkeys.beginAdd': { isSignedIn: true, valid: {}, bad: {} },
  // Taken with a credential that a test makes first.
  'passkeys.add': {
    isSignedIn: true,
    valid: { name: 'my phone' },
    bad: { name: badText(40), credential: BAD_ATTESTATION },
  },
  'passkeys.remove': { isSignedIn: true, valid: { id: 1 }, bad: { id: BAD_ID }, id: 'id' },
  'secondFactor.status': { isSignedIn: true, valid: {}, bad: {} },
  'secondFactor.begin': { isSignedIn: true, valid: {}, bad: {} },
  // Taken with a code, of a player who has just begun.
  'secondFactor.enable': { isSignedIn: true, valid: { code: '123456' }, bad: { code: [undefined, ...BAD_TOTP] } },
  // Taken of a player with an authenticator app.
  'secondFactor.disable': { isSignedIn: true, valid: {}, bad: {} },
  'secondFactor.renewRecoveryCodes': { isSignedIn: true, valid: {}, bad: {} },
  'security.changePassword': {
    isSignedIn: true,
    valid: { password: 'secret-1', newPassword: 'another-secret-1' },
    bad: {
      password: BAD_PASSWORD,
      newPassword: [undefined, ...NOT_TEXT, '', '12345', 'x'.repeat(201)],
      revokeKeys: [null, 1, 'true', [], {}],
    },
  },
  'security.changeWallet': {
    isSignedIn: true,
    valid: { password: 'secret-1', wallet: 'wallet' },
    bad: { password: BAD_PASSWORD, wallet: [undefined, ...NOT_TEXT, '', '  ', 'w'.repeat(65), 'w\u0000', 'wället'] },
  },
  'security.email': { isSignedIn: true, valid: {}, bad: {} },
  'security.changeEmail': {
    isSignedIn: true,
    valid: { password: 'secret-1', email: 'elsewhere@papermoon.example' },
    bad: { password: BAD_PASSWORD, email: [undefined, ...BAD_EMAIL] },
  },
  'security.sendEmailLink': { isSignedIn: true, valid: {}, bad: {} },
  'security.verifyEmail': {
    valid: { token: 'a'.repeat(43) },
    bad: {
      token: [undefined, ...NOT_TEXT, '', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, 'a'.repeat(5_000)],
    },
  },
  'security.sessions': { isSignedIn: true, valid: {}, bad: {} },
  'security.endSession': {
    isSignedIn: true,
    valid: { id: '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e21' },
    bad: { id: [undefined, ...NOT_TEXT, '', '1', 'x'.repeat(36), '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e2'] },
  },
  'security.endOtherSessions': { isSignedIn: true, valid: {}, bad: {} },
  'users.profile': byId,
}

/** Inputs with a property that the procedure does not take: of any name, one field's misspelt, and one of a prototype's. */
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
  /** The field that was meant; null for none. */
  readonly field: string | null
  readonly input: Readonly<Record<string, unknown>>
}

/** `minTokensOut` becomes `minTokenOut`; what is too short for that is written twice. */
function misspell(field: string): string {
  if (field.length < 4) return `${field}${field}`
  return field.includes('s') ? field.replace('s', '') : `${field.slice(0, 2)}${field.slice(3)}`
}

/** Inputs that would be work to read. */
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

/** Of superjson's annotations those that construct something, as an envelope around a right input. */
export function typedEnvelopes({ valid, bad }: BadInputRow): readonly object[] {
  const [field = 'zzz'] = Object.keys(bad)
  const types = ['bigint', 'Date', 'regexp', 'set', 'map', 'number', 'URL', 'Error', ['typed-array', 'Uint8Array']]
  return types.flatMap((type) => [
    { json: valid, meta: { values: [type] } },
    { json: { ...valid, [field]: '1' }, meta: { values: { [field]: [type] } } },
  ])
}

/** Inputs that are not even an object. */
export const NOT_OBJECTS = ['text', 5, true, [1]] as const
