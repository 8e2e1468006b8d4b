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
const again = (of: number): Wish => ({ kind: 'again', place: of })

const place = (wish: Wish, went: string) => ({ step: new Place(wish), went })
const wait = { step: new Wait(), went: null }
const both = (one: Wish, other: Wish) => ({ step: new PlaceBoth(one, other), went: null })

/** A sequence of steps that triggers every answer of the model, with the outcome of each order. */
export const everyAnswer = [
  place(launch(tooMuch), 'launch 422'),
  place(launch(oneUnit), 'launch 422'),
  place(launch(none, 0), 'launch done'),
  place(again(0), 'launch done'),
  place(launch(half, 0), 'launch 422'),

  place(buy({ share: none }), 'buy 400'),
  place(buy({ token: UNKNOWN }), 'buy 404'),
  place(buy({ share: oneUnit }), 'buy 422'),
  place(buy({ share: tooMuch }), 'buy 422'),
  place(buy({ above: 1 }), 'buy 422'),
  place(buy({ above: 0, key: 1 }), 'buy done'),
  place(again(1), 'buy done'),
  place(buy({ share: all, key: 1 }), 'buy 422'),

  place(sell({ share: none }), 'sell 400'),
  place(sell({ share: oneUnit }), 'sell 422'),
  place(sell({ share: tooMuch }), 'sell 422'),
  place(sell({ above: 1 }), 'sell 422'),
  place(sell({ above: 0 }), 'sell done'),
  place(sell({ share: all, key: 2 }), 'sell done'),
  place(again(2), 'sell done'),

  place(buy({ share: most }), 'buy done'),
  place(reset, 'reset 422'),
  place(rug(1), 'rug 403'),
  place(rug(null, 0, 3), 'rug done'),
  place(again(3), 'rug done'),
  place(rug(null), 'rug 409'),
  place(buy({}), 'buy 409'),
  place(sell({}), 'sell 409'),
  place(sell({ share: tooMuch }), 'sell 422'),
  place(reset, 'reset done'),
  place(reset, 'reset 429'),

  place(launch(half), 'launch done'),
  both(buy({ token: 1 }), buy({ token: 1, player: 0 })),
  both(buy({ token: 1, key: 4 }), buy({ token: 1, key: 4 })),
  both(buy({ token: 1, share: little }), rug(null, 1)),
  place(rug(null, 1), 'rug 409'),
  wait,
  place(reset, 'reset 429'),
  wait,
  place(launch(), 'launch done'),
  place(buy({ token: 2, share: most }), 'buy done'),
  place(rug(null, 2), 'rug done'),
  place(reset, 'reset done'),
]
