import { describe, expect, it } from 'vitest'
import { ZodObject } from 'zod'
import { procedures } from '../src/index.ts'
import { getAcceptedScopes, getKeyAccess, type Procedure } from '../src/procedure.ts'

const all = [...procedures]
// Moderators' procedures are in no public document.
const callable = all.filter(([, { type, role }]) => type !== 'subscription' && role === undefined)
/** Returns the names of the procedures that pass `test`. */
const namesOf = (test: (procedure: Procedure) => boolean) =>
  all.filter(([, procedure]) => test(procedure)).map(([name]) => name)

/** What to do if a list differs. */
const DECIDE = 'decide apiKey and whenSuspended of the new procedure, then add it to this list'

describe('every procedure', () => {
  it('has its own REST path and name, except subscriptions', () => {
    const addresses = callable.map(([name, { rest, operationId }]) => [name, rest, operationId])
    expect(addresses.filter((parts) => parts.includes(undefined))).toEqual([])
    for (const place of [1, 2]) expect(new Set(addresses.map((parts) => parts[place])).size).toBe(callable.length)
    expect(namesOf(({ type, rest }) => type === 'subscription' && rest !== undefined)).toEqual([])
  })

  it('has a summary of one sentence', () => {
    const sentence = /^[A-Z‘“].*[.]$/s
    expect(callable.filter(([, { summary }]) => !sentence.test(summary ?? '')).map(([name]) => name)).toEqual([])
  })

  it.each(callable)(
    '%s has an example that its schemas accept, and that contains the fields of its path',
    (_name, procedure) => {
      const { input, example, rest = '' } = procedure
      expect(example).toBeDefined()
      const given = example?.input ?? {}
      if (input !== null) expect(input.safeParse(given).error).toBeUndefined()
      for (const [, field = ''] of rest.matchAll(/\{(\w+)\}/g)) expect(Object.keys(input?.shape ?? {})).toContain(field)
    },
  )

  it('names the property that contains its list, beside which is the cursor of the next page', () => {
    for (const [name, { list, output }] of all) {
      if (list === undefined) continue
      const properties = output instanceof ZodObject ? Object.keys(output.shape) : []
      expect([name, ...properties]).toEqual(expect.arrayContaining([name, list, 'nextCursor']))
    }
  })
})

it('every list over REST is paged in the same way: limit, cursor, and a Link header', () => {
  const lists = callable.filter(([, { type, input }]) => type === 'query' && 'limit' in (input?.shape ?? {}))
  const odd = lists.filter(
    ([, { input, list, nextCursor }]) => !('cursor' in (input?.shape ?? {})) || (list ?? nextCursor) === undefined,
  )
  // The steps of a token's past have the previous event's number in their path.
  expect(odd.map(([name]) => name)).toEqual(['past.steps'])
})

describe('the access of API keys', () => {
  it('covers orders with the scope trade, resets with reset, and no other mutation', () => {
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

  it('covers public data with the scope market, and more of the player’s data with read', () => {
    for (const [name, procedure] of all) {
      if (procedure.type === 'mutation') continue
      const isOpen = procedure.access === 'anyone'
      if (isOpen) expect([name, getAcceptedScopes(procedure)]).toEqual([name, ['market', 'read']])
    }
    // A key with the scope market must not see these: email, wallet, notices and the watchlist.
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

describe('actions of a suspended player', () => {
  it('are limited to selling, repeating orders, and managing the account', () => {
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

describe('a call', () => {
  it('can be alone only if it is a mutation, and cached only if its data is public', () => {
    expect(namesOf(({ alone, type }) => alone === true && type !== 'mutation')).toEqual([])
    expect(namesOf(({ cached, type, access }) => cached === true && (type !== 'query' || access !== 'anyone'))).toEqual(
      [],
    )
  })
})
