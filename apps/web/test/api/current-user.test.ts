import { procedures } from '@papermoon/contract'
import { isPublic } from '@papermoon/contract/procedure'
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

const queries = [...procedures].filter(([, { type }]) => type === 'query')

describe('forgetting the player', () => {
  it('turns the page into a guest’s', () => {
    forgetPlayer()
    expect(cache.auth.me.getData()).toBeNull()
  })

  it.each(queries)('keeps the response of %s only if it is public', (path, procedure) => {
    const key = [path.split('.'), { input: { id: 1 }, type: 'query' }]
    queryClient.setQueryData(key, 'cached')
    forgetPlayer()
    const isCached = isPublic(procedure) || path === 'auth.me'
    expect(queryClient.getQueryData(key)).toBe(isCached ? 'cached' : undefined)
  })
})

describe('refetching the player', () => {
  it('takes the balance from the server', async () => {
    await refetchPlayer(async () => player('75'))
    expect(balance()).toBe('75')
  })

  it('leaves a guest if the session has ended', async () => {
    await refetchPlayer(async () => null)
    expect(cache.auth.me.getData()).toBeNull()
    expect(cache.trading.position.getData({ tokenId: ID })).toBeUndefined()
  })

  it('repeats if an order was answered meanwhile', async () => {
    const answers = ['99', '80']
    await refetchPlayer(async () => {
      const solBalance = answers.shift() ?? ''
      if (solBalance === '99') setBalance(ID, '80')
      expect(balance()).toBe('80')
      return player(solBalance)
    })
    expect(answers).toEqual([])
    expect(balance()).toBe('80')
  })

  it('changes nothing if no response comes', async () => {
    await expect(refetchPlayer(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(balance()).toBe('100')
  })
})
