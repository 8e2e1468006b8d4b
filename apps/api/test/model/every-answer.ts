import type { Transport } from './real-market.ts'
import { Place, PlaceBoth, Wait } from './steps.ts'
import { UNKNOWN, type Wish } from './wishes.ts'

const all = { permille: 1_000, extra: 0 }
const most = { permille: 970, extra: 0 }
const little = { permille: 10, extra: 0 }
const half = { permille: 500, extra: 1 }
const none = { permille: 0, extra: 0 }
const oneUnit = { permille: 0, extra: 1 }
const tooMuch = { permille: 1_000, extra: 1 }

type Trade = Wish & { readonly kind: 'buy' | 'sell' }
type More = Partial<Omit<Trade, 'kind'>>
const trade = (kind: Trade['kind'], more: More): Trade => {
  return { kind, player: 1, token: 0, share: half, above: null, key: null, ...more }
}
const buy = (more: More) => trade('buy', more)
const sell = (more: More) => trade('sell', more)
const launch = (share = none, key: number | null = null): Wish => ({ kind: 'launch', player: 0, share, key })
const rug = (player: number | null, token = 0, key: number | null = null): Wish => ({ kind: 'rug', player, token, key })
const reset: Wish = { kind: 'reset', player: 1 }
const again = (place: number): Wish => ({ kind: 'again', place })

const by = (transport: Transport) => (wish: Wish, went: string) => ({ step: new Place(wish, transport), went })
const rest = by('rest')
const trpc = by('trpc')
const wait = { step: new Wait(), went: null }
const both = (one: Wish, other: Wish) => ({ step: new PlaceBoth(one, other), went: null })

/** A sequence of steps that triggers every answer of the model, with the outcome of each order. */
export const everyAnswer = [
  rest(launch(tooMuch), 'launch 422'),
  trpc(launch(oneUnit), 'launch 422'),
  rest(launch(none, 0), 'launch done'),
  trpc(again(0), 'launch done'),
  rest(launch(half, 0), 'launch 422'),

  rest(buy({ share: none }), 'buy 400'),
  trpc(buy({ token: UNKNOWN }), 'buy 404'),
  rest(buy({ share: oneUnit }), 'buy 422'),
  trpc(buy({ share: tooMuch }), 'buy 422'),
  rest(buy({ above: 1 }), 'buy 422'),
  trpc(buy({ above: 0, key: 1 }), 'buy done'),
  rest(again(1), 'buy done'),
  rest(buy({ share: all, key: 1 }), 'buy 422'),

  trpc(sell({ share: none }), 'sell 400'),
  rest(sell({ share: oneUnit }), 'sell 422'),
  trpc(sell({ share: tooMuch }), 'sell 422'),
  rest(sell({ above: 1 }), 'sell 422'),
  trpc(sell({ above: 0 }), 'sell done'),
  rest(sell({ share: all, key: 2 }), 'sell done'),
  trpc(again(2), 'sell done'),

  trpc(buy({ share: most }), 'buy done'),
  rest(reset, 'reset 422'),
  rest(rug(1), 'rug 403'),
  trpc(rug(null, 0, 3), 'rug done'),
  rest(again(3), 'rug done'),
  rest(rug(null), 'rug 409'),
  rest(buy({}), 'buy 409'),
  trpc(sell({}), 'sell 409'),
  rest(sell({ share: tooMuch }), 'sell 422'),
  rest(reset, 'reset done'),
  trpc(reset, 'reset 429'),

  rest(launch(half), 'launch done'),
  both(buy({ token: 1 }), buy({ token: 1, player: 0 })),
  both(buy({ token: 1, key: 4 }), buy({ token: 1, key: 4 })),
  both(buy({ token: 1, share: little }), rug(null, 1)),
  trpc(rug(null, 1), 'rug 409'),
  wait,
  rest(reset, 'reset 429'),
  wait,
  rest(launch(), 'launch done'),
  rest(buy({ token: 2, share: most }), 'buy done'),
  rest(rug(null, 2), 'rug done'),
  trpc(reset, 'reset done'),
]
