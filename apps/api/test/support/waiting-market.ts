import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import { expect } from 'vitest'
import { changeFair, makeRoom } from './fairs.ts'
import type { TestServer, Visitor } from './test-server.ts'

/** A token with two players: `taker` launched it and holds most of it, and `maker` places waiting orders. */
export interface WaitingMarket {
  readonly taker: Visitor
  readonly maker: Visitor
  readonly tokenId: number
  /** The room in which both play, or undefined in the fairground. */
  readonly fairId: number | undefined
  /** Returns the initial price times `factor`. */
  at(factor: number): string
  /** Places a waiting order for this token, by default the maker's. */
  place(body: object, player?: Visitor): Promise<WaitingOrderView>
  /** Sells tokens of the taker, which lowers the price. */
  sell(tokenAmount: string): Promise<void>
}

export async function openWaitingMarket(server: TestServer, { isRoom = false } = {}): Promise<WaitingMarket> {
  const [taker, maker] = [await server.player(), await server.player()]
  const fairId = isRoom ? (await makeRoom(taker, [maker])).id : undefined
  if (fairId !== undefined) await changeFair(taker, fairId, { act: 'start' })
  const tokenId = await taker.launch({ initialBuyAmount: '30', ...(isRoom && { fairId }) })
  const price = Number((await taker.get(`/api/tokens/${tokenId}`)).json().currentPrice)
  return {
    taker,
    maker,
    tokenId,
    fairId,
    at: (factor) => (price * factor).toFixed(18),
    place: async (body, player = maker) => {
      const answer = await player.post('/api/waiting-orders', { tokenId, ...body })
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json().order
    },
    sell: async (tokenAmount) => {
      const answer = await taker.post('/api/tokens/sell', { tokenId, tokenAmount })
      expect(answer.statusCode, answer.body).toBe(200)
    },
  }
}
