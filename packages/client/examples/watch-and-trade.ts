/**
 * Registers a player, launches a token, watches it live, buys some of it and prints the events:
 *
 *     node packages/client/examples/watch-and-trade.ts http://localhost:3000
 */
import { randomUUID } from 'node:crypto'
import { createPapermoonClient } from '@papermoon/client'

const { api, connection, close } = createPapermoonClient({ url: process.argv[2] ?? 'http://localhost:3000' })
connection.onChange(({ state }) => console.log(`connection: ${state}`))

const name = `bot-${randomUUID().slice(0, 8)}`
const wallet = 'So11111111111111111111111111111111111111112'
await api.auth.register.mutate({ username: name, email: `${name}@bots.example`, wallet, password: randomUUID() })

const { token } = await api.tokens.launch.mutate({ name: 'Paper Moon', symbol: 'MOON', requestId: randomUUID() })
console.log(`launched: ${token.symbol} at ${token.currentPrice} SOL`)

const seen = new Promise<void>((resolve, reject) => {
  // Start at the sequence number of the token that was just read, so that no event is missed.
  const input = { tokenId: token.id, lastEventId: String(token.seq) }
  api.live.token.subscribe(input, {
    onData: ({ data: event }) => {
      if (event.type !== 'trade') return
      console.log(`seen: ${event.trade.side} of ${event.trade.solAmount} SOL, now at ${event.currentPrice} SOL`)
      resolve()
    },
    onError: reject,
  })
})

// The request id makes it safe to repeat the order. The minimum rejects the order if the price has risen by more than a
// tenth.
const { tokensOut, position } = await api.trading.buy.mutate({
  tokenId: token.id,
  solAmount: '1.5',
  minTokensOut: '40000000',
  requestId: randomUUID(),
})
console.log(`bought: ${tokensOut} for 1.5 SOL, ${position.balance} SOL left`)

await seen
await close()
