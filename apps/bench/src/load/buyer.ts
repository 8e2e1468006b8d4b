import { SocketConnection } from '../sockets/socket-connection.ts'
import { buyCall, buyRequest } from './buy-messages.ts'
import { HttpConnection } from './http-connection.ts'
import type { OrderPlan } from './order-plan.ts'

/** A player using a transport, with one order in flight. */
export interface Buyer {
  /** Resolves when the order is executed. Rejects if it is refused or the connection ends. */
  buy(key: string): Promise<void>
  close(): void
}

/** Connects a player to a plan's transport. */
export async function openBuyer({ port, transport, tokenId }: OrderPlan, cookie: string): Promise<Buyer> {
  if (transport === 'trpc-socket') return await SocketBuyer.open(port, tokenId, cookie)
  const connection = await HttpConnection.open(port)
  return {
    buy: async (key) => {
      const { status } = await connection.send(Buffer.from(buyRequest(transport, { port, tokenId, cookie, key })))
      if (status !== 200) throw new Error(`${status} for an order over ${transport}`)
    },
    close: () => connection.close(),
  }
}

class SocketBuyer implements Buyer {
  readonly #tokenId: number
  #connection: SocketConnection | null = null
  #waiting: { resolve(): void; reject(error: Error): void } | null = null
  #calls = 0

  private constructor(tokenId: number) {
    this.#tokenId = tokenId
  }

  static async open(port: number, tokenId: number, cookie: string): Promise<SocketBuyer> {
    const buyer = new SocketBuyer(tokenId)
    buyer.#connection = await SocketConnection.open(
      { port, path: '/trpc', cookie },
      { text: (payload) => buyer.#take(payload), lost: (reason) => buyer.#waiting?.reject(new Error(reason)) },
    )
    return buyer
  }

  buy(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#connection?.send(buyCall(++this.#calls, { tokenId: this.#tokenId, key }))
    })
  }

  close(): void {
    this.#connection?.close()
  }

  /** Answers are not parsed: that would cost the load more than they cost the server. */
  #take(payload: Buffer): void {
    const waiting = this.#waiting
    this.#waiting = null
    if (payload.indexOf('"result"') >= 0) waiting?.resolve()
    else waiting?.reject(new Error(payload.toString('utf8', 0, 500)))
  }
}
