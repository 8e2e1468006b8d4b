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

it('leaves nothing of a player who is forgotten', () => {
  forgetPlayer()
  expect(cache.auth.me.getData()).toBeNull()
  expect(cache.trading.position.getData({ tokenId: ID })).toBeUndefined()
})

describe('a player who is asked for again', () => {
  it('has the balance that the server tells', async () => {
    await refetchPlayer(async () => player('75'))
    expect(balance()).toBe('75')
  })

  it('is a guest when the session is over', async () => {
    await refetchPlayer(async () => null)
    expect(cache.auth.me.getData()).toBeNull()
    expect(cache.trading.position.getData({ tokenId: ID })).toBeUndefined()
  })

  it('is asked for once more when an order was answered meanwhile', async () => {
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

  it('stays as they were when no answer comes', async () => {
    await expect(refetchPlayer(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(balance()).toBe('100')
  })
})
