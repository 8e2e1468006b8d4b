import type { FairTrick, PlayedFair } from './play-fair.ts'

type Steps = Generator<number, void, void>

const MINUTE_MS = 60_000
const REACTION_MS = 250
const ROUNDS = 6

/** Tricks in a fair with any number of helpers: one account wins what the same person's other accounts lose. */
export const FAIR_TRICKS: readonly FairTrick[] = [
  { name: 'doing nothing', *play() {} },
  { name: 'helpers buy on top of the largest token', play: (fair) => giveOften(fair, () => fair.findLargest()) },
  {
    name: 'helpers buy a token of one’s own',
    *play(fair) {
      const own = fair.launch(first(fair))
      yield* giveOften(fair, () => own)
    },
  },
  {
    // The helpers gain nothing by leaving, because accounts that left still count in the sum, and nobody can enter
    // twice.
    name: 'helpers lose in any token and leave',
    play: (fair) => giveOften(fair, () => fair.random.int(5)),
  },
  {
    name: 'helpers lose, hidden among many trades',
    *play(fair) {
      for (let round = 0; round < 4 * ROUNDS; round++) {
        const token = fair.findLargest()
        fair.buy(first(fair), token, 0.3)
        yield 20_000
        fair.sell(first(fair), token)
        yield REACTION_MS
        if (round % 4 === 3) yield* give(fair, token)
      }
    },
  },
  {
    name: 'a late pump of the largest bag',
    *play(fair) {
      const token = fair.launch(first(fair))
      fair.buy(first(fair), token, 0.9)
      yield fair.endsMs - 2 * MINUTE_MS - fair.nowMs
      for (const helper of fair.accounts.slice(1)) fair.buy(helper, token)
    },
  },
  { name: 'the run a second before the end', play: (fair) => run(fair, 1_000) },
  { name: 'the run a minute before the end', play: (fair) => run(fair, MINUTE_MS) },
  {
    name: 'a launch in the last minute',
    *play(fair) {
      yield fair.endsMs - MINUTE_MS - REACTION_MS - fair.nowMs
      const token = fair.launch(first(fair))
      fair.buy(first(fair), token, 0.9)
      for (const helper of fair.accounts.slice(1)) fair.buy(helper, token)
      fair.sell(first(fair), token)
    },
  },
]

const first = ({ accounts }: PlayedFair): number => accounts[0] as number

function* giveOften(fair: PlayedFair, choose: () => number): Steps {
  for (let round = 0; round < ROUNDS; round++) {
    yield MINUTE_MS
    yield* give(fair, choose())
  }
}

/** The first account buys before the helpers raise the price, and sells to them at the higher price. */
function* give(fair: PlayedFair, token: number): Steps {
  fair.buy(first(fair), token, 0.5)
  for (const helper of fair.accounts.slice(1)) fair.buy(helper, token)
  fair.sell(first(fair), token)
  for (const helper of fair.accounts.slice(1)) fair.sell(helper, token)
  yield REACTION_MS
}

/** Holds the largest token, as the helpers do, and sells before them. */
function* run(fair: PlayedFair, beforeEndMs: number): Steps {
  yield MINUTE_MS
  const token = fair.findLargest()
  for (const account of fair.accounts) fair.buy(account, token, 0.9)
  yield fair.endsMs - beforeEndMs - fair.nowMs
  fair.sell(first(fair), token)
}
