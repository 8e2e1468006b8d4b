import { randomUUID } from 'node:crypto'
import { openBuyer } from '../load/buyer.ts'
import type { OrderPlan } from '../load/order-plan.ts'
import { EventSourceConnection } from '../sockets/event-source-connection.ts'
import { SocketConnection, type SocketListener } from '../sockets/socket-connection.ts'
import type { HolderPlan } from './holder-plan.ts'
import { subscribeTo } from './subscribe-to.ts'

const WAIT_MS = 5_000

/** Records the message a socket receives for a trade. Rejects if there is none. */
export async function recordMessage(
  order: Pick<OrderPlan, 'port' | 'transport' | 'tokenId' | 'cookies'>,
  kind: HolderPlan['kind'],
): Promise<string> {
  const { port, tokenId, cookies } = order
  let succeed: (message: string) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const message = new Promise<string>((resolve, reject) => {
    succeed = resolve
    fail = reject
  })
  const listener = {
    text: (payload: Buffer) => {
      if (payload.indexOf('"trade"') >= 0) succeed(payload.toString())
    },
    lost: (reason: string) => fail(new Error(reason)),
  }
  const socket = await listen({ port, tokenId, kind }, listener)
  const [cookie = ''] = cookies
  const buyer = await openBuyer({ ...order, seconds: 0, perSecond: null, listeners: null }, cookie)
  const buying = setInterval(() => void buyer.buy(randomUUID()).catch(fail), 200)
  const late = setTimeout(() => fail(new Error('no message for a trade arrived')), WAIT_MS)
  try {
    return await message
  } finally {
    clearInterval(buying)
    clearTimeout(late)
    socket.close()
    buyer.close()
  }
}

async function listen(
  { port, tokenId, kind }: Pick<HolderPlan, 'port' | 'tokenId' | 'kind'>,
  listener: SocketListener,
): Promise<{ close(): void }> {
  if (kind === 'sse') return await EventSourceConnection.open({ port, path: '/api/events' }, listener)
  const path = kind === 'events' ? '/ws' : '/trpc'
  const socket = await SocketConnection.open({ port, path, cookie: null }, listener)
  if (kind === 'subscriptions') socket.send(subscribeTo(tokenId))
  return socket
}
