import { describe, expect, it } from 'vitest'
import { ZodObject } from 'zod'
import { procedures } from '../src/index.ts'
import { getAcceptedScopes, getKeyAccess, type Procedure } from '../src/procedure.ts'

const all = [...procedures]
// Moderators' procedures are in no document.
const callable = all.filter(([, { type, role }]) => type !== 'subscription' && role === undefined)
/** The names of the procedures for which this holds. */
const namesOf = (test: (procedure: Procedure) => boolean) =>
  all.filter(([, procedure]) => test(procedure)).map(([name]) => name)

/** What to do when a list differs. */
const DECIDE = 'decide apiKey and whenSuspended of the new procedure, then add it to this list'

describe('every procedure', () => {
  it('has a REST address and a name of its own, but for subscriptions', () => {
    const addresses = callable.map(([name, { rest, operationId }]) => [name, rest, operationId])
    expect(addresses.filter((parts) => parts.includes(undefined))).toEqual([])
    for (const place of [1, 2]) expect(new Set(addresses.map((parts) => parts[place])).size).toBe(callable.length)
    expect(namesOf(({ type, rest }) => type === 'subscription' && rest !== undefined)).toEqual([])
  })

  it('is told in one sentence', () => {
    const sentence = /^[A-Z‘“].*[.]$/s
    expect(callable.filter(([, { summary }]) => !sentence.test(summary ?? '')).map(([name]) => name)).toEqual([])
  })

  it.each(callable)('%s has an example that its schemas accept, with what is in its path', (_name, procedure) => {
    const { input, example, rest = '' } = procedure
    expect(example).toBeDefined()
    const given = example?.input ?? {}
    if (input !== null) expect(input.safeParse(given).error).toBeUndefined()
    for (const [, field = ''] of rest.matchAll(/\{(\w+)\}/g)) expect(Object.keys(input?.shape ?? {})).toContain(field)
  })

  it('has a property that is its list, with the cursor of the next page beside it', () => {
    for (const [name, { list, output }] of all) {
      if (list === undefined) continue
      const properties = output instanceof ZodObject ? Object.keys(output.shape) : []
      expect([name, ...properties]).toEqual(expect.arrayContaining([name, list, 'nextCursor']))
    }
  })
})

it('every list over REST is read page by page in one way: limit, cursor, and a Link header', () => {
  const lists = callable.filter(([, { type, input }]) => type === 'query' && 'limit' in (input?.shape ?? {}))
  const odd = lists.filter(
    ([, { input, list, nextCursor }]) => !('cursor' in (input?.shape ?? {})) || (list ?? nextCursor) === undefined,
  )
  // Steps of a token's past have the number of the event before them in their path.
  expect(odd.map(([name]) => name)).toEqual(['past.steps'])
})

describe('the access of API keys', () => {
  it('is to orders with the scope trade, to resets with reset, and to no other mutation', () => {
    const fairs = ['fairs.create', 'fairs.enter', 'fairs.leave', 'fairs.update']
    const trades = ['trading.buy', 'trading.rug', 'trading.seal', 'trading.sell']
    const orders = [...fairs, 'tokens.launch', ...trades, 'waitingOrders.cancel', 'waitingOrders.place']
    expect(namesOf((procedure) => getKeyAccess(procedure) === 'trade').sort()).toEqual(orders)
    expect(namesOf((procedure) => getKeyAccess(procedure) === 'reset')).toEqual(['account.reset'])
    const posts = ['talk.delete', 'talk.write']
    expect(namesOf((procedure) => getKeyAccess(procedure) === 'talk').sort()).toEqual(posts)
    const others = namesOf((procedure) => procedure.type === 'mutation' && getAcceptedScopes(procedure).length > 0)
    expect(others.sort()).toEqual(['account.reset', ...orders, ...posts].sort())
  })

  it('is to what anybody may read with the scope market, and to more of a player with read', () => {
    for (const [name, procedure] of all) {
      if (procedure.type === 'mutation') continue
      const isOpen = procedure.access === 'anyone'
      if (isOpen) expect([name, getAcceptedScopes(procedure)]).toEqual([name, ['market', 'read']])
    }
    // What a key with the scope market must not see: email, wallet, notices and the watchlist.
    const read = namesOf((procedure) => getKeyAccess(procedure) === 'read').sort()
    expect(read, DECIDE).toEqual(['alerts.list', 'auth.me', 'notices.list', 'notices.live', 'watchlist.get'])
    const sessionOnly = namesOf((procedure) => procedure.type === 'query' && getAcceptedScopes(procedure).length === 0)
    expect(sessionOnly.sort(), DECIDE).toEqual([
      'account.events',
      ...namesOf(({ role, type }) => role !== undefined && type === 'query').sort(),
      'fairs.league',
      'fairs.replay',
      'fairs.story',
      'follows.feed',
      'follows.list',
      'keys.list',
      'notices.settings',
      'passkeys.list',
      'portfolio.welcome',
      'push.state',
      'reports.acts',
      'reports.mine',
      'secondFactor.status',
      'security.email',
      'security.sessions',
      'webhooks.list',
    ])
  })
})

describe('what a suspended player may do', () => {
  it('is to sell, to repeat orders, and to keep the account in order', () => {
    expect(namesOf(({ whenSuspended }) => whenSuspended === 'repeats').sort()).toEqual([
      'tokens.launch',
      'trading.buy',
      'trading.rug',
      'trading.seal',
      'waitingOrders.place',
    ])
    const refused = namesOf(({ type, access, whenSuspended }) => {
      return type === 'mutation' && access === 'player' && whenSuspended === undefined
    })
    expect(refused.sort(), DECIDE).toEqual([
      'account.declareBot',
      'account.reset',
      ...namesOf(({ role, type }) => role !== undefined && type === 'mutation').sort(),
      'alerts.create',
      'fairs.beginQuick',
      'fairs.create',
      'fairs.enter',
      'fairs.rematch',
      'fairs.remove',
      'fairs.renewInvite',
      'fairs.update',
      'follows.follow',
      'keys.create',
      'push.subscribe',
      'talk.edit',
      'talk.moderate',
      'talk.react',
      'talk.vote',
      'talk.write',
      'uploads.create',
      'uploads.setProfilePicture',
      'watchlist.add',
      'watchlist.merge',
      'watchlist.remove',
      'webhooks.create',
      'webhooks.rotate',
      'webhooks.test',
    ])
  })
})

describe('how a procedure may be called', () => {
  it('alone only if it is a mutation, and from the cache only if anybody may read it', () => {
    expect(namesOf(({ alone, type }) => alone === true && type !== 'mutation')).toEqual([])
    expect(namesOf(({ cached, type, access }) => cached === true && (type !== 'query' || access !== 'anyone'))).toEqual(
      [],
    )
  })
})
