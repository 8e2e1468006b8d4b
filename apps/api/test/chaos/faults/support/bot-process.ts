import type { BotLine, Fill } from './bot-life.ts'

/** Concurrent orders; a player may have 8 under way. */
const LANES = 4
const PAGE = 500

interface Trade extends Omit<Fill, 'key'> {}
interface Answered {
  readonly trade: Trade
  readonly isReplayed?: boolean
}
/** The part of the packed client that this bot calls. */
interface Client {
  createPapermoonClient(options: { url: string; apiKey: string | undefined }): { api: Api }
  repeatUntilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer>
}
interface Api {
  readonly orders: {
    list: { query(input: { limit: number; cursor?: string }): Promise<OrderPage> }
  }
  readonly trading: {
    buy: { mutate(order: object): Promise<Answered> }
    sell: { mutate(order: object): Promise<Answered> }
  }
}
interface OrderPage {
  readonly orders: readonly { readonly key: string | null; readonly trade: Trade | null }[]
  readonly nextCursor: string | null
}

/**
 * A bot that places the orders `bot-1`, `bot-2`, … once each, and keeps nothing on disk: at its start it lists what it
 * did, and every order that is missing it places under its key. One that was under way answers what it did before.
 */
const [client = '', url = '', tokenId = '', orders = ''] = process.argv.slice(2)
const { createPapermoonClient, repeatUntilAnswered } = (await import(client)) as Client
const { api } = createPapermoonClient({ url, apiKey: process.env.PAPERMOON_KEY })
const fills = await readFills()
say({ type: 'known', count: fills.size })
const missing = Array.from({ length: Number(orders) }, (_, index) => index + 1).filter((n) => !fills.has(`bot-${n}`))
await Promise.all(Array.from({ length: LANES }, placeMissing))
say({ type: 'finished', fills: [...fills].map(([key, trade]) => toFill(key, trade)) })

async function readFills(): Promise<Map<string, Trade>> {
  const found = new Map<string, Trade>()
  let cursor: string | null | undefined
  do {
    const page: OrderPage = await api.orders.list.query({ limit: PAGE, ...(cursor && { cursor }) })
    for (const { key, trade } of page.orders) if (key?.startsWith('bot-') && trade !== null) found.set(key, trade)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

async function placeMissing(): Promise<void> {
  for (let n = missing.shift(); n !== undefined; n = missing.shift()) {
    const key = `bot-${n}`
    const order = { tokenId: Number(tokenId), requestId: key }
    const { trade, isReplayed = false } = await repeatUntilAnswered(() =>
      n % 3 === 0
        ? api.trading.sell.mutate({ ...order, tokenAmount: '1000' })
        : api.trading.buy.mutate({ ...order, solAmount: '0.01' }),
    )
    fills.set(key, trade)
    say({ type: 'answered', key, isReplayed })
  }
}

function toFill(key: string, { seq, side, solAmount, tokenAmount }: Trade): Fill {
  return { key, seq, side, solAmount, tokenAmount }
}

function say(line: BotLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
