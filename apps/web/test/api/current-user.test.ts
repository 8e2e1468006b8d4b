import type { AppRouter } from '@papermoon/api/router'
import { ID, userId } from '@papermoon/live/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CurrentUser, cache, type Position } from '../../src/lib/api/api.ts'
import { forgetPlayer, refetchPlayer, setBalance } from '../../src/lib/api/current-user.ts'
import { queryClient } from '../../src/lib/api/query-client.ts'

const player = (solBalance: string) => ({ id: userId(1), username: 'barnum', solBalance }) as CurrentUser
const position: Position = { tokenId: ID, balance: '90', amount: '5', cost: '10' }
const balance = () => cache.auth.me.getData()?.solBalance

beforeEach(() => {
  queryClient.clear()
  cache.auth.me.setData(undefined, player('100'))
  cache.trading.position.setData({ tokenId: ID }, position)
})

type Procedures = AppRouter['_def']['record']
type QueriesIn<Router extends keyof Procedures> = {
  [Name in keyof Procedures[Router]]: Procedures[Router][Name] extends { _def: { type: 'query' } }
    ? `${Router}.${Name & string}`
    : never
}[keyof Procedures[Router]]
type QueryPath = { [Router in keyof Procedures]: QueriesIn<Router> }[keyof Procedures]

/** Every query of the API. TypeScript names the missing line here when the API gets another one. */
const ACCESS: Record<QueryPath, 'public' | 'private' | 'user'> = {
  'account.events': 'private',
  'alerts.list': 'private',
  'auth.me': 'user',
  'history.candles': 'public',
  'history.trades': 'public',
  'keys.list': 'private',
  'leaderboard.get': 'public',
  'leaderboard.allTime': 'public',
  'leaderboard.creators': 'public',
  'leaderboard.rugs': 'public',
  'leaderboard.rank': 'public',
  'leaderboard.bots': 'public',
  'notices.list': 'private',
  'notices.settings': 'private',
  'orders.get': 'private',
  'orders.list': 'private',
  'passkeys.list': 'private',
  'past.at': 'public',
  'past.bag': 'private',
  'past.chart': 'public',
  'past.moment': 'public',
  'past.steps': 'public',
  'portfolio.dashboard': 'private',
  'portfolio.get': 'private',
  'portfolio.history': 'private',
  'portfolio.netWorth': 'private',
  'portfolio.summary': 'private',
  'proof.chain': 'public',
  'proof.checkpoints': 'public',
  'proof.heads': 'public',
  'proof.headsAt': 'public',
  'proof.summary': 'public',
  'push.state': 'private',
  'search.everything': 'public',
  'secondFactor.status': 'private',
  'security.email': 'private',
  'security.sessions': 'private',
  'site.parameters': 'private',
  'site.settings': 'public',
  'tokens.byIds': 'public',
  'tokens.chart': 'public',
  'tokens.figures': 'public',
  'tokens.get': 'public',
  'tokens.holders': 'public',
  'tokens.list': 'public',
  'tokens.markedTrades': 'private',
  'tokens.movers': 'public',
  'tokens.rugStory': 'public',
  'tokens.tape': 'public',
  'tokens.trades': 'public',
  'trading.position': 'private',
  'trading.quote': 'private',
  'users.closedWin': 'public',
  'users.results': 'public',
  'users.trades': 'public',
  'users.launchRecord': 'public',
  'users.profile': 'public',
  'watchlist.get': 'private',
  'webhooks.list': 'private',
}

describe('forgetting the player', () => {
  it('turns the page into a guest’s', () => {
    forgetPlayer()
    expect(cache.auth.me.getData()).toBeNull()
  })

  it.each(Object.entries(ACCESS))('keeps the answer of %s only if it is public (%s)', (path, access) => {
    const key = [path.split('.'), { input: { id: 1 }, type: 'query' }]
    queryClient.setQueryData(key, 'cached')
    forgetPlayer()
    expect(queryClient.getQueryData(key)).toBe(access === 'private' ? undefined : 'cached')
  })
})

describe('refetching the player', () => {
  it('takes the balance from the server', async () => {
    await refetchPlayer(async () => player('75'))
    expect(balance()).toBe('75')
  })

  it('leaves a guest when the session is over', async () => {
    await refetchPlayer(async () => null)
    expect(cache.auth.me.getData()).toBeNull()
    expect(cache.trading.position.getData({ tokenId: ID })).toBeUndefined()
  })

  it('repeats when an order was answered meanwhile', async () => {
    const answers = ['99', '80']
    await refetchPlayer(async () => {
      const solBalance = answers.shift() ?? ''
      if (solBalance === '99') setBalance('80')
      expect(balance()).toBe('80')
      return player(solBalance)
    })
    expect(answers).toEqual([])
    expect(balance()).toBe('80')
  })

  it('changes nothing when no answer comes', async () => {
    await expect(refetchPlayer(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(balance()).toBe('100')
  })
})
