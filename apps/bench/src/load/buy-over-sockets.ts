import { performance } from 'node:perf_hooks'
import { openSocket } from '../sockets/open-socket.ts'
import { toSocketBuy } from './buy.ts'
import type { LoadResult, OrderPlan } from './plans.ts'
import { summarize } from './summarize.ts'

/** Lets players buy over WebSockets, for which autocannon has no client. The promise rejects if a buy is rejected. */
export async function buyOverSockets(plan: OrderPlan): Promise<LoadResult> {
  const buyers = await Promise.all(plan.cookies.map((cookie) => openBuyer(plan, cookie)))
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  const untilMs = startedMs + plan.seconds * 1_000
  const drive = async ({ buy }: (typeof buyers)[number]) => {
    for (let sentMs = startedMs; sentMs < untilMs; ) {
      await buy()
      const nowMs = performance.now()
      latenciesMs.push(nowMs - sentMs)
      sentMs = nowMs
    }
  }
  await Promise.all(buyers.map(drive)).finally(() => {
    for (const buyer of buyers) buyer.close()
  })
  return summarize(latenciesMs, startedMs)
}

async function openBuyer({ port, tokenId }: OrderPlan, cookie: string) {
  let waiting = Promise.withResolvers<void>()
  let calls = 0
  const socket = await openSocket(
    { port, path: '/trpc', cookie },
    {
      // Do not parse responses, because parsing would cost the load generator more than the responses cost the server.
      text: (payload) => {
        if (payload.indexOf('"result"') >= 0) waiting.resolve()
        else waiting.reject(new Error(payload.toString('utf8', 0, 500)))
      },
      lost: (reason) => waiting.reject(new Error(reason)),
    },
  )
  const buy = () => {
    waiting = Promise.withResolvers()
    socket.send(toSocketBuy(++calls, tokenId))
    return waiting.promise
  }
  return { buy, close: socket.close }
}
