import { procedures } from '@papermoon/contract'
import type { Procedure } from '@papermoon/contract/procedure'
import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { z } from 'zod'

/** A valid input of a procedure, and invalid values of each field. `undefined` omits the field. */
export interface BadInputRow {
  readonly valid: Readonly<Record<string, unknown>>
  readonly bad: Readonly<Record<string, readonly unknown[]>>
  /** The field that contains an id. A call with an unknown id gets 404. */
  readonly id?: string | undefined
}

/** The parts of a field's JSON schema that limit its values. */
interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly anyOf?: readonly FieldSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: FieldSchema
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
}

const BAD_NUMBER = ['abc', '', '1', '0x1', '1e3', -1, 1.5, 1e21, Number.NaN, Number.POSITIVE_INFINITY, [1]]
const BAD_TEXT = ['x'.repeat(5_000), 'a\u0000b', 'a\ud800b']
const BAD_TIME = [
  ...['now', '2026', '2026-01-01', '2026-01-01T00:00', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z'],
  ...['0000-01-01T00:00:00Z', '9999-99-99T00:00:00Z'],
]

/** Invalid values for any field of this schema: of the wrong type, too long, too large or out of range. */
function listBadValues(schema: FieldSchema, isRequired: boolean): unknown[] {
  const kinds = (schema.anyOf ?? [schema]).flatMap(({ anyOf, ...kind }) => anyOf ?? [kind])
  const types = new Set(kinds.flatMap(({ type = 'object' }) => type))
  const others = { null: null, boolean: true, array: [], object: {}, string: 'abc', integer: 5 }
  const isNumber = types.has('number')
  const wrong = Object.entries(others).filter(([type]) => !types.has(type) && !(isNumber && type === 'integer'))
  // JSON turns NaN and Infinity into null, which is valid here if null is.
  const isNull = (value: unknown) => types.has('null') && JSON.stringify(value) === 'null'
  return [
    ...(isRequired ? [undefined] : []),
    ...wrong.map(([, value]) => value),
    ...kinds.flatMap((kind) => listBadOfKind(kind, isRequired, isNumber)).filter((value) => !isNull(value)),
  ]
}

function listBadOfKind(kind: FieldSchema, isRequired: boolean, isNumber: boolean): unknown[] {
  const { type, minimum = 0, maximum = 0, maxItems = 0 } = kind
  if (type === 'integer') return [...BAD_NUMBER, minimum - 1, maximum + 1]
  if (type === 'boolean') return ['', 'true', 0, 1]
  if (type === 'array')
    return ['', '1', 1, [null], [{}], [[]], new Array(maxItems + 1).fill(kind.items?.enum?.[0] ?? 1)]
  if (isNumber) return ['-1', '-0.5', '1e3', '0x10', '1,5', '1.2.3', '1_000', 'one', '١', '9'.repeat(41), -1, 1e21]
  if (type !== 'string') return []
  if (kind.enum !== undefined) return ['', 'no such', ...kind.enum.map(swapCase)]
  const unlike = ['', ' ', 'a b', 'ä', '-'].filter((text) => kind.pattern && !new RegExp(kind.pattern).test(text))
  const times = kind.format === 'date-time' ? [...BAD_TIME, ...(isRequired ? [] : ['1969-12-31T23:59:59Z'])] : []
  return [...BAD_TEXT, ...unlike, ...times]
}

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

/** Values of the test's market for the fields of examples, by field name. */
const WORLD: Readonly<Record<string, unknown>> = {
  id: 1,
  tokenId: 1,
  userId: 1,
  tokenIds: [1],
  ids: '1',
  email: 'player-1@papermoon.example',
  password: 'secret-1',
}

const FAIR_ID = 12

/** The hour of the contract's example, which `publishLongAgo` publishes. */
const LONG_AGO = '2026-03-01T13:00:00.000Z'

/** Inserts published hashes, because a server publishes hashes only at the next full hour. */
export async function publishLongAgo(db: TestDatabase['db']): Promise<void> {
  await sql`insert into head_publications (hour, published_at, tokens, digest)
    values (${LONG_AGO}, ${LONG_AGO}, 0, sha256(''))`.execute(db)
}

/** An upload of the first player. The test stores a picture with this name. */
export const AN_UPLOAD = `1-${'0'.repeat(32)}`

/** Names that are blank or contain invisible characters. */
const INVISIBLE = ['a\u202eb', 'a\u200bb', 'ab\u2800']
const BAD_NAME = ['   ', ...INVISIBLE]
const BAD_AMOUNT = ['', '   ', '0', '0.000', '0.0000000000001', 0, 1e-13, 'NaN', 'Infinity', '9'.repeat(30)]
const BAD_MINIMUM = ['', '0', 0, -1e-7, 1e300, 'NaN', 'Infinity', '9'.repeat(30)]
const BAD_PASSWORD = [' ', 'wrong-1', 'x'.repeat(201)]
const BAD_NEW_PASSWORD = ['12345', 'x'.repeat(201)]
const BAD_WALLET = ['  ', 'w'.repeat(65), 'w\u0000', 'wället']
/** `new-account.test.ts` tests more addresses. */
const BAD_EMAIL = ['nobody', `${'a'.repeat(250)}@b.org`]
const BAD_LINK = [
  ...['example.org', 'javascript:alert(1)', 'ftp://example.org', 'https://a b', 'https://example.org/\u202e'],
  ...[`https://example.org/${'ä'.repeat(100)}`, `https://${'a'.repeat(200)}.org`],
]
/** Links that do not belong to the named site. */
const notAt = (...links: readonly string[]) => [...BAD_LINK, 'https://example.org', ...links]
/** Invalid texts of ids. At most `max` ids are allowed. */
const badIdList = (max: number) => [
  ...[',', '1,', ',1', '1,,2', '1 2', '1;2', 'a', '0', '-1', '1.5', '1e3', '2147483648', '1\u0000'],
  Array.from({ length: max + 1 }, (_, index) => index + 1).join(','),
]
/** URLs that the server must not call; `push.test.ts` has more. */
const BAD_TARGET = [
  ...['hook', 'http://hooks.example.org/', 'https://a b/', 'https://2130706433/', 'https://[fd00::1]/'],
  'https://hooks.example.org:8443/',
]

/** Encoded like cursors of the default order, `newest`. The last cursor belongs to another order. */
const FORGED_CURSORS = [
  ['a', 1],
  ['newest', '2026-01-01T00:00:00Z', Number.MAX_SAFE_INTEGER],
  ['newest', '2026-01-01T00:00:00Z', 2_147_483_648],
  ['newest', '0000-01-01T00:00:00Z', 1],
  ['newest', '9999-99-99T00:00:00Z', 1],
  ['mcap-high', '1', 3_000_000_000],
].map((cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url'))

const BAD_TOTP = ['', ' ', '12345', '1234567', 'abcdef', '-12345', '١٢٣٤٥٦', '1e4444']
const BAD_FACTOR_CODE = [...BAD_TOTP, 'abcde-fghj', 'abcde-fghjkm', 'ábcde-fghjk']

const PUBLIC_KEY = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
const ASSERTED = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' }
const ATTESTED = { clientDataJSON: 'AAAA', attestationObject: 'AAAA' }
/** Invalid credentials; `passkeys.test.ts` tests more. */
const notCredentials = (response: Readonly<Record<string, unknown>>) => [
  { ...PUBLIC_KEY, response: {} },
  { ...PUBLIC_KEY, response, type: 'password' },
  { ...PUBLIC_KEY, response: { ...response, clientDataJSON: 'A'.repeat(9_000) } },
]
const BAD_ASSERTION = [...notCredentials(ASSERTED), { ...PUBLIC_KEY, response: { ...ASSERTED, userHandle: '=' } }]
const BAD_ATTESTATION = [
  ...notCredentials(ATTESTED),
  { ...PUBLIC_KEY, response: { ...ATTESTED, transports: Array.from({ length: 9 }, () => 'usb') } },
]
/** Bad values of fields that have the same meaning in every procedure. */
const BY_FIELD: Readonly<Record<string, readonly unknown[]>> = {
  email: BAD_EMAIL,
  newPassword: BAD_NEW_PASSWORD,
  wallet: BAD_WALLET,
  invite: ['', 'x', 'a'.repeat(21), 'a'.repeat(23), `${'a'.repeat(21)}=`, `${'a'.repeat(21)}ä`],
  lastEventId: ['', ' ', '-1', '1.5', 'NaN', '1e3', '0x10', '9'.repeat(17)],
}

/**
 * Inputs that cannot be derived from the contract. `bad` has invalid values whose form is valid. `valid` replaces the
 * contract's example if that is not valid in the test's market.
 */
const special: Readonly<Record<string, Partial<BadInputRow>>> = {
  'account.events': { bad: { cursor: ['x', '1', '1-', `1-${'9'.repeat(40)}`, '999999999999999999-1'] } },
  'auth.login': { bad: { password: BAD_PASSWORD, totp: BAD_FACTOR_CODE } },
  // A valid credential requires a login that has begun and a passkey.
  'auth.loginWithPasskey': { valid: {}, bad: { credential: BAD_ASSERTION } },
  'auth.register': {
    valid: { username: 'Newcomer', email: 'newcomer@papermoon.example', wallet: 'wallet', password: 'secret-1' },
    bad: { username: ['x', ...BAD_NAME], password: BAD_NEW_PASSWORD },
  },
  'auth.resetPassword': { bad: { token: [...BAD_TOTP, '12 456'] } },
  'fairs.list': { bad: { cursor: ['', 'x', '1', '1-', `1-${'9'.repeat(30)}`] } },
  'fairs.create': {
    bad: {
      name: ['xy', ...BAD_NAME],
      startsAt: ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'],
      stake: ['0.999999999', '10000.000000001', ...BAD_AMOUNT],
      // Only sandboxes have a speed, and this is a room.
      speed: [2],
    },
  },
  'fairs.ranking': { bad: { cursor: ['', 'x', '-1', '1.5', '1e3', '1234567'] } },
  'fairs.update': { valid: { id: FAIR_ID, launches: 'nobody' }, bad: { act: ['pause'] } },
  'live.market': { bad: { lastEventId: ['yesterday', '12'], types: [['fair']] } },
  'tokens.list': { bad: { search: ['x'.repeat(65)], cursor: ['x', '1', 'x'.repeat(201), ...FORGED_CURSORS] } },
  'tokens.byIds': { bad: { ids: badIdList(200) } },
  'tokens.figures': { bad: { ids: badIdList(48) } },
  'tokens.holders': {
    bad: { cursor: ['', 'x', '20', '20-7', '20-7-', '20-7--1', '20-7-1e3', `20-7-${'9'.repeat(15)}`, '-1-7-5'] },
  },
  // This interval is invalid because it requires the timeframe 1H.
  'tokens.chart': { bad: { interval: ['5s'] } },
  'tokens.launch': {
    bad: {
      name: BAD_NAME,
      symbol: ['ß'.repeat(10), 'ﬃ'.repeat(4), ...BAD_NAME],
      emoji: ['x', '🌙🌙', '🌙x'],
      description: ['x'.repeat(501), ...INVISIBLE],
      website: BAD_LINK,
      x: notAt('https://x.com.example.org', 'https://example.org/x.com', 'https://t.me/a'),
      telegram: notAt('https://nott.me/a', 'https://t.me@example.org', 'https://x.com/a'),
      initialBuyAmount: [
        ...['99.99', '1000', '0.0000000001', '.', ' . ', '-0', `.${'0'.repeat(5_000)}`, '0'.repeat(41)],
        ...[' '.repeat(41), -1e-7, 1e-10, 1e300, 'NaN', 'Infinity', '9'.repeat(30)],
      ],
    },
  },
  'waitingOrders.place': {
    valid: { tokenId: 1, kind: 'buy', solAmount: '1', price: '0.00000001' },
    bad: {
      price: [undefined, '0', '-1', 'NaN', '1e3', '9'.repeat(30)],
      stopPrice: ['0.5'],
      leastPrice: ['any'],
      replacesFills: [0],
    },
  },
  'waitingOrders.cancel': { valid: {}, bad: { ids: [[], [0], Array.from({ length: 51 }, (_, i) => i + 1)] } },
  'waitingOrders.list': { bad: { cursor: ['0', 'x'] } },
  'trading.seal': { valid: { id: 1, term: 'day' }, bad: { term: [undefined] } },
  // Use token 2, which no other procedure trades.
  'trading.rug': { valid: { id: 2 } },
  'uploads.setProfilePicture': {
    valid: { profilePictureUrl: `/objects/uploads/${AN_UPLOAD}` },
    bad: {
      profilePictureUrl: [
        ...[' ', 'cat.png', 'https://example.org/cat.png', 'javascript:alert(1)', 'data:image/png;base64,AAAA'],
        ...['/objects/uploads/', `/objects/uploads/1-${'0'.repeat(31)}`, `/objects/uploads/1-${'1'.repeat(32)}`],
        ...[`/objects/uploads/2-${'0'.repeat(32)}`, `/objects/uploads/${AN_UPLOAD}\u0000`],
        `/objects/uploads/${AN_UPLOAD}?${'x'.repeat(2_048)}`,
      ],
    },
  },
  'orders.list': { bad: { cursor: ['', 'x', '1', '1-1', '1-5-1', `1-1-${'9'.repeat(40)}`] } },
  'orders.get': { valid: { key: 'listed-1' } },
  'trading.quote': {
    valid: { side: 'buy', tokenId: 1, solAmount: '1' },
    // The last two fields are invalid because they belong to other sides.
    bad: {
      tokenId: [undefined],
      solAmount: [undefined, ...BAD_AMOUNT],
      tokenAmount: ['1'],
      initialBuyAmount: ['1'],
    },
    id: 'tokenId',
  },
  'trading.buy': {
    bad: {
      solAmount: ['100.000000001', 100.000000001, ...BAD_AMOUNT],
      minTokensOut: ['99999999999999', ...BAD_MINIMUM],
    },
  },
  'trading.sell': {
    valid: { tokenId: 1, tokenAmount: '1' },
    bad: { tokenAmount: ['999999999', 999999999, ...BAD_AMOUNT], minSolOut: ['999', 999, ...BAD_MINIMUM] },
  },
  'keys.create': {
    bad: {
      name: BAD_NAME,
      scopes: [[], [''], ['write'], ['read', 'all'], ['READ']],
      expiresAt: ['tomorrow', '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'],
      networks: [
        ...['10.0.0.0/8', [''], ['localhost'], ['10.0.0.0/33'], ['010.0.0.1'], [`::${'0'.repeat(60)}`]],
        Array.from({ length: 21 }, (_, host) => `10.0.0.${host}`),
      ],
      spendingLimit: ['', '0', 0, 'NaN', 'Infinity', '9'.repeat(30)],
    },
  },
  'watchlist.merge': { bad: { tokenIds: [[0], ['1'], [1.5]] } },
  'notices.markRead': { valid: { ids: [1] }, bad: { ids: [[], ['1'], [0], [-1], [1.5]] } },
  'notices.setSettings': { bad: { muted: [[''], ['RUG'], ['all']] } },
  'alerts.create': {
    bad: {
      value: [
        ...['1e3', '0x10', '1,5', '1.2.3', '.5', '5.', 'NaN', 'Infinity', '--1', '0', '-100', '-101', '9'.repeat(21)],
        ...[`0.${'0'.repeat(31)}`, '99999999999999999999'],
      ],
    },
  },
  'push.subscribe': {
    bad: {
      endpoint: [...BAD_TARGET, 'https://169.254.169.254/latest'],
      p256dh: ['A'.repeat(86), `B${'A'.repeat(86)}=`, `A${'A'.repeat(86)}`],
      auth: ['A'.repeat(21), 'A'.repeat(23), 'ä'.repeat(22)],
    },
  },
  'push.unsubscribe': { bad: { endpoint: ['push', 'http://push.example.org/', `https://${'x'.repeat(1_000)}`] } },
  'webhooks.create': {
    bad: {
      url: [...BAD_TARGET, 'https://hooks.example.org/#x', 'https://', 'https://0x7f.1/'],
      events: [[], [''], ['trades'], ['trade', 5]],
      tokenIds: [[], [0], ['1'], [1.5]],
      fairs: [[], [1], ['2'], [2.5]],
    },
  },
  'portfolio.get': { bad: { userId: [2_000_000_000] } },
  'proof.chain': { bad: { after: [1_000] } },
  'proof.headsAt': {
    bad: {
      hour: [
        ...['2026-01-01T00:30:00Z', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00+01:00'],
        ...['1999-01-01T00:00:00Z', '9999-01-01T00:00:00Z'],
      ],
    },
  },
  'security.confirm': {
    valid: { password: 'secret-1' },
    // The last code is rejected because the password was already accepted as proof.
    bad: { password: [undefined, ...BAD_PASSWORD], totp: [...BAD_TOTP, '123456'], passkey: BAD_ASSERTION },
  },
  // A valid credential can only come from an authenticator.
  'passkeys.add': { valid: { name: 'my phone' }, bad: { name: BAD_NAME, credential: BAD_ATTESTATION } },
  'secondFactor.enable': { bad: { code: BAD_TOTP } },
  'security.changePassword': { bad: { password: BAD_PASSWORD } },
  'security.changeWallet': { bad: { password: BAD_PASSWORD } },
  'security.changeEmail': {
    valid: { password: 'secret-1', email: 'elsewhere@papermoon.example' },
    bad: { password: BAD_PASSWORD },
  },
  'security.verifyEmail': { bad: { token: ['a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`] } },
  'security.endSession': { bad: { id: ['1', 'x'.repeat(36), '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e2'] } },
  'talk.list': { valid: { tokenId: 1 } },
  'talk.watch': { valid: { tokenId: 1 } },
  'talk.write': { valid: { tokenId: 1, text: 'It will go to the moon' } },
  'tape.follow': { valid: { id: crypto.randomUUID() }, bad: { lastEventId: ['99999'] } },
  'tape.result': { bad: { day: ['today', '2026-1-5', '2026-02-30', '2026-01-05T00:00:00Z'] } },
  'search.everything': { bad: { query: ['x'.repeat(65), ...BAD_NAME] } },
}

/** Bad input of every procedure, from its schema, its example and `special`. Several tests use it. */
export const badInputs: Readonly<Record<string, BadInputRow>> = Object.fromEntries(
  Array.from(procedures, ([path, procedure]) => [path, createRow(path, procedure)]),
)

function createRow(path: string, { input, example, errors = [] }: Procedure): BadInputRow {
  const schema = input === null ? null : z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const required = schema?.required ?? []
  const fields = Object.entries(schema?.properties ?? {}) as [string, FieldSchema][]
  const world = path.startsWith('fairs.') ? { ...WORLD, id: FAIR_ID } : WORLD
  const isHere = (field: string, { type }: FieldSchema) => typeof world[field] !== 'number' || type === 'integer'
  const usual = fields
    .filter(([field]) => required.includes(field))
    .map(([field, part]) => [field, (isHere(field, part) ? world[field] : undefined) ?? example?.input?.[field]])
  const { valid = Object.fromEntries(usual), bad = {}, ...own } = special[path] ?? {}
  const values = fields.map(([field, part]) => {
    const special = [...(BY_FIELD[field] ?? []), ...(bad[field] ?? [])]
    return [field, [...listBadValues(part, required.includes(field)), ...special]]
  })
  const ids = fields.filter(([field, { type }]) => type === 'integer' && required.includes(field) && field in WORLD)
  const isFound = errors.some((code) => code === 'NOT_FOUND' || code.endsWith('_NOT_FOUND'))
  return { valid, bad: Object.fromEntries(values), id: isFound ? ids[0]?.[0] : undefined, ...own }
}

/** Returns the row of a procedure. */
export function getBadInputRow(path: string): BadInputRow {
  const row = badInputs[path]
  if (row === undefined) throw new Error(`there is no procedure ${path}`)
  return row
}

/** Inputs that are not objects. */
export const NOT_OBJECTS = ['text', 5, true, [1]] as const
