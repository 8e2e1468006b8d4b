import { procedures } from '@papermoon/contract'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { hide } from '../../src/commands/admin/moderate.ts'
import { getBadInputRow } from '../support/bad-input.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const NAME = 'Marvel Behind the Curtain'

interface World {
  readonly hidden: number
  readonly rugged: number
  readonly creatorId: number
  readonly holderId: number
}

interface Row {
  readonly kind: keyof typeof audiences
  readonly input?: (world: World) => object
}

/**
 * The audiences who see the token before and after it is hidden: a guest, a player without it, and a player who holds
 * it.
 */
const audiences = {
  /** The response is about this token alone. A caller sees the token if the call succeeds. */
  page: { before: ['guest', 'stranger', 'holder'], after: [] },
  /** Only the token's holders can make this call for a hidden token. */
  holdersPage: { before: ['guest', 'stranger', 'holder'], after: ['holder'] },
  ownPage: { before: ['stranger', 'holder'], after: ['holder'] },
  /** The response lists tokens. A caller sees the token if the list contains its name. */
  list: { before: ['guest', 'stranger', 'holder'], after: [] },
  ownList: { before: ['holder'], after: ['holder'] },
  /** The response lists token ids. A caller sees the token if the list contains its id. */
  ids: { before: ['guest', 'stranger', 'holder'], after: [] },
  ownIds: { before: ['holder'], after: [] },
  /** Holders see the token in the list, but not while it is hidden. */
  ownPublicList: { before: ['holder'], after: [] },
  namesNoToken: { before: [], after: [] },
} as const

const namesNoToken: Row = { kind: 'namesNoToken' }

/** The queries that list tokens, or that need an input of this test. */
const shown: Record<string, Row> = {
  'tokens.list': { kind: 'list', input: () => ({ search: 'curtain' }) },
  'tokens.byIds': { kind: 'list', input: ({ hidden }) => ({ ids: String(hidden) }) },
  'tokens.figures': { kind: 'ids', input: ({ hidden }) => ({ ids: String(hidden) }) },
  'tokens.movers': { kind: 'list' },
  'tokens.tape': { kind: 'list' },
  'history.trades': { kind: 'list' },
  'tokens.rugStory': { kind: 'page', input: ({ rugged }) => ({ id: rugged }) },
  'search.everything': { kind: 'list', input: () => ({ query: 'curtain' }) },
  'past.at': { kind: 'page', input: ({ hidden }) => ({ tokenId: hidden, time: '2036-01-01T00:00:00Z' }) },
  'trading.quote': {
    kind: 'holdersPage',
    input: ({ hidden }) => ({ side: 'sell', tokenId: hidden, tokenAmount: '1' }),
  },
  // Nobody has closed a position in the token. `closed-win.test.ts` tests hiding a closed position.
  'users.closedPosition': {
    ...namesNoToken,
    input: ({ hidden, creatorId }) => ({ userId: creatorId, tokenId: hidden }),
  },
  'users.closedWin': { ...namesNoToken, input: ({ hidden, creatorId }) => ({ userId: creatorId, tokenId: hidden }) },
  'users.trades': { kind: 'list', input: ({ holderId }) => ({ id: holderId }) },
  'users.profile': { kind: 'list', input: ({ creatorId }) => ({ id: creatorId }) },
  // An order contains only the id of its token, and only its player can read it.
  'orders.get': { ...namesNoToken, input: () => ({ key: 'launch-1' }) },
  'waitingOrders.list': { ...namesNoToken, input: ({ hidden }) => ({ tokenId: hidden }) },
  'portfolio.get': { kind: 'ownList' },
  'portfolio.dashboard': { kind: 'ownList' },
  'portfolio.netWorth': { kind: 'ownList' },
  // The token did not exist at that time, so its holding has no change to show.
  'portfolio.welcome': { ...namesNoToken, input: () => ({ since: '2026-01-01T00:00:00Z' }) },
  'watchlist.get': { kind: 'ownIds' },
  'notices.list': { kind: 'ownPublicList' },
  'alerts.list': { kind: 'ownPublicList' },
  'leaderboard.rugs': { kind: 'list' },
  'talk.list': { kind: 'page', input: ({ hidden }) => ({ tokenId: hidden }) },
  'talk.court': { kind: 'page', input: ({ rugged }) => ({ id: rugged }) },
}

/**
 * All queries. A query without a row above is about one token if it can return "not found", and otherwise it shows no
 * token.
 */
const rows = [...procedures].filter(([, { type }]) => type === 'query').map(([path]) => [path, findRow(path)] as const)

function findRow(path: string): Row {
  if (shown[path] !== undefined) return shown[path]
  if (!isAboutToken(path)) return namesNoToken
  return { kind: procedures.get(path)?.access === 'player' ? 'ownPage' : 'page' }
}

function isAboutToken(path: string): boolean {
  return procedures.get(path)?.errors?.includes('TOKEN_NOT_FOUND') === true
}

const server = await shareTestServer()
const creator = await server.player('creator')
const holder = await server.player('holder')
const visitors: Record<'guest' | 'stranger' | 'holder', Visitor> = {
  guest: server.visitor(),
  stranger: await server.player('stranger'),
  holder,
}
const { id: creatorId } = (await creator.get('/api/auth/user')).json()
const { id: holderId } = (await holder.get('/api/auth/user')).json()
const rugged = await creator.launch({ name: NAME, symbol: 'RUG' })
// The rug board leaves out the largest payer, so it needs two buyers.
for (const name of ['first', 'second']) {
  await (await server.player(name)).post('/api/tokens/buy', { tokenId: rugged, solAmount: '2' })
}
await creator.post(`/api/tokens/${rugged}/rug`, {})
const world: World = {
  creatorId,
  holderId,
  rugged,
  hidden: await creator.launch({ name: NAME, symbol: 'HIDE', emoji: '🎪' }),
}
const bought = { tokenId: world.hidden, solAmount: '2', requestId: 'bought-before' }
await holder.post('/api/tokens/buy', bought)
await holder.mutate('watchlist.add', { id: world.hidden })
await holder.post('/api/alerts', { tokenId: world.hidden, measure: 'percent', value: '1' })
await creator.post('/api/tokens/buy', { tokenId: world.hidden, solAmount: '2' })
await server.tickUntil('notices', async () => expect((await holder.get('/api/notices')).json().notices).toHaveLength(1))

async function findAudience(procedure: string, { kind, input }: Row): Promise<string[]> {
  const isPage = kind === 'page' || kind === 'ownPage' || kind === 'holdersPage'
  const mark =
    kind === 'ids' || kind === 'ownIds'
      ? new RegExp(`"(id|tokenId|tokenIds)":\\[?${world.hidden}\\b`)
      : new RegExp(NAME)
  const sent = procedures.get(procedure)?.input == null ? undefined : (input?.(world) ?? aim(procedure))
  const answers = await Promise.all(
    Object.entries(visitors).map(async ([who, visitor]) => ({ who, answer: await visitor.query(procedure, sent) })),
  )
  for (const { answer } of answers) expect(answer.statusCode, answer.body).not.toBe(400)
  return answers
    .filter(({ answer }) => (isPage ? answer.statusCode === 200 : mark.test(answer.body)))
    .map(({ who }) => who)
}

/** Returns the procedure's usual input, with the id of the hidden token if the procedure is about one token. */
function aim(procedure: string): object {
  const { valid, id } = getBadInputRow(procedure)
  return isAboutToken(procedure) && id !== undefined ? { ...valid, [id]: world.hidden } : valid
}

describe('before a token is hidden', () => {
  it.each(rows)('%s shows it to its whole audience', async (procedure, row) => {
    expect(await findAudience(procedure, row)).toEqual(audiences[row.kind].before)
  })
})

describe('a hidden token', () => {
  let pool: unknown
  beforeAll(async () => {
    pool = (await holder.get(`/api/tokens/${world.hidden}`)).json().pool
    await hide(server.database, String(world.hidden))
    await hide(server.database, String(world.rugged))
    await vi.waitFor(
      async () => {
        for (const id of [world.hidden, world.rugged]) {
          expect((await holder.get(`/api/tokens/${id}`)).statusCode).toBe(404)
        }
      },
      { timeout: WAIT_MAX_MS },
    )
  })

  const position = () => holder.get(`/api/tokens/${world.hidden}/position`)
  const sell = async (tokenAmount: string) =>
    (await holder.post('/api/tokens/sell', { tokenId: world.hidden, tokenAmount })).json()

  it.each(rows)('%s shows it to its holders at most', async (procedure, row) => {
    expect(await findAudience(procedure, row)).toEqual(audiences[row.kind].after)
  })

  it('shows its name and pool in a holder’s position, and can be sold completely', async () => {
    const before = (await position()).json()
    expect(before.hiddenToken).toEqual({ name: NAME, symbol: 'HIDE', emoji: '🎪', pool, ruggedAt: null })
    const first = await sell('1000')
    const after = (await position()).json()
    expect(after).toEqual({ ...first.position, hiddenToken: { ...before.hiddenToken, pool: expect.anything() } })
    expect(after.hiddenToken.pool).not.toEqual(pool)
    expect((await sell(after.amount)).position.amount).toBe('0')
    const gone = await position()
    expect([gone.statusCode, gone.body]).toEqual([404, 'Token not found.'])
  })

  it('cannot be bought even by its holders, but a repeat of an earlier order gets its response', async () => {
    expect((await holder.post('/api/tokens/buy', bought)).statusCode).toBe(200)
    const answer = await holder.post('/api/tokens/buy', { tokenId: world.hidden, solAmount: '1' })
    expect([answer.statusCode, answer.body]).toEqual([404, 'Token not found.'])
  })
})
