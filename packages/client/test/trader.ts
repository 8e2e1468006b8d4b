import { setTimeout as sleep } from 'node:timers/promises'
import type { AppRouter } from '@papermoon/contract/router'
import { TRPCClientError } from '@trpc/client'
import { createPapermoonClient } from '../src/index.ts'

const AGAIN_AFTER_MS = 100
/** Max time to retry an order. A server starts in two seconds, or in forty on a busy machine. */
const GIVE_UP_MS = 120_000

/** A player at one server who repeats each order with its key until it gets a response. */
export interface Trader {
  launch(symbol: string): Promise<number>
  /** Buys for 0.01 SOL or sells one token; resolves to the trade's sequence number. */
  trade(tokenId: number, side: 'buy' | 'sell'): Promise<number>
  rug(tokenId: number): Promise<void>
  close(): Promise<void>
}

export async function registerTrader(url: string, username: string): Promise<Trader> {
  const { api, close } = createPapermoonClient({ url })
  const email = `${username}@papermoon.example`
  await api.auth.register.mutate({ username, email, wallet: 'wallet', password: 'secret-1' })
  let orders = 0
  return {
    launch: async (symbol) => (await api.tokens.launch.mutate({ name: symbol, symbol })).id,
    trade: async (tokenId, side) => {
      const order = { tokenId, requestId: `order-${++orders}` }
      const buy = async () => (await api.trading.buy.mutate({ ...order, solAmount: '0.01' })).trade
      const sell = async () => (await api.trading.sell.mutate({ ...order, tokenAmount: '1' })).trade
      const { seq } = await retryUntilAnswered(side === 'buy' ? buy : sell)
      return seq
    },
    rug: async (id) => void (await retryUntilAnswered(() => api.trading.rug.mutate({ id, requestId: `rug-${id}` }))),
    close,
  }
}

/** Retries while the server is unavailable. Rejects if the server rejects the call. */
async function retryUntilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = Date.now() + GIVE_UP_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof TRPCClientError) || isRefusal(error) || Date.now() > giveUpAt) throw error
      await sleep(AGAIN_AFTER_MS)
    }
  }
}

function isRefusal({ data }: TRPCClientError<AppRouter>): boolean {
  return data !== undefined && data !== null && data.httpStatus < 500
}
