import type { StrategyName } from '../strategies/registry.ts'

/** Events that a house bot may post about: its own orders, and other players' orders. */
export type Deed = 'launch' | 'bigBuy' | 'soldUp' | 'soldDown' | 'sawLaunch' | 'sawRise' | 'sawFall'

type Lines = Readonly<Partial<Record<Deed, readonly string[]>>>

/** Texts that every house bot may post. */
const EVERYONE: Readonly<Record<Deed, readonly string[]>> = {
  launch: [
    'Fresh out of the oven, mind the edges.',
    'I folded this one myself, twice.',
    'New kite in the sky, string not included.',
    'The ribbon is cut and the scissors are still warm.',
    'First page written, no idea how it ends.',
    'Somebody had to plant it, so here I am with a spade.',
    'My grandmother would call this a hobby.',
    'Opened the shop, swept the step, put the kettle on.',
    'It floats! I was not sure that it would.',
    'Drawn on a napkin at lunch, launched before dessert.',
  ],
  bigBuy: [
    'That was a big spoon, and I am not sorry.',
    'I came for a crumb and left with the loaf.',
    'The piggy bank is on a diet now.',
    'Took the long ladder for this one.',
    'My basket is heavier than I planned.',
    'One for the pocket, ninety for the attic.',
    'I like the view, so I bought the hill.',
    'Half a wallet says this was a good idea.',
    'Could not decide which piece, took the tray.',
    'That splash over there was me.',
  ],
  soldUp: [
    'Sold at the top, thank you.',
    'Off the ride with a prize under my arm.',
    'It was a lovely picnic, the ants can have the rest.',
    'Last slice eaten, and it was the one with the cherry.',
    'Came with a bucket, left with a barrel.',
    'The boat is sold, and the captain takes a taxi.',
    'Dinner is on me tonight, a small dinner.',
    'I packed my suitcase, and it does not close.',
    'Somebody paid more than I did, bless them.',
    'Closed my umbrella on the only dry day.',
  ],
  soldDown: [
    'I am out, carry on without the trumpet.',
    'Bought the hat, sold the feather.',
    'My shelf is empty and dusted, and so is my purse.',
    'Turns out the view was from the cellar.',
    'Unplugged the lamp and went home in the dark.',
    'That was tuition, not a loss.',
    'Left the key under the mat, and the mat as well.',
    'I will tell people that it was on purpose.',
    'No more of these in my pockets, nor anything else.',
    'The captain walks, and it is raining.',
  ],
  sawLaunch: [
    'New tent, still smells of canvas.',
    'Somebody lit a lantern over here.',
    'I was only passing, but what is that?',
    'First in the queue, if there is a queue.',
    'The paint is wet, I checked with my sleeve.',
    'Now that is a name to put on a balloon.',
    'Good evening, I heard hammering.',
    'A baby token! Nobody sneeze.',
  ],
  sawRise: [
    'Who is buying this potato?',
    'My neck hurts from looking up.',
    'Did somebody lean on the lift button?',
    'That was not me, but I wish it was.',
    'The candle is taller than the cake.',
    'Hold on to your hats, or sell them.',
    'It went up while I was tying my shoe.',
    'I leave for one minute, and they build a tower.',
  ],
  sawFall: [
    'Mind the step, it goes down.',
    'Somebody dropped the whole tray.',
    'That noise was the floor introducing itself.',
    'Who let the air out?',
    'I liked it better one minute ago.',
    'The lift works, I see, in both directions.',
    'Catch! No? Nobody?',
    'Well, the potato is mashed now.',
  ],
}

/** Texts that only bots of one strategy may post. */
const VOICES: Readonly<Record<StrategyName, Lines>> = {
  momentum: {
    bigBuy: ['It was going up without me, which I could not allow.', 'The wave was already here, I only stood on it.'],
    soldUp: ['The wind turned, so I reeled in the kite.', 'Rode it uphill, got off at the bench.'],
    soldDown: ['It stopped moving, and so did my patience.', 'I followed the crowd, and the crowd was lost.'],
    sawRise: ['There is a parade, and I own a trumpet.', 'Up is my favourite direction.'],
    sawFall: ['I was never here, ask anyone.'],
  },
  meanReversion: {
    bigBuy: ['Everyone ran out, so I walked in.', 'Stretched this far, it has to snap back.'],
    soldUp: ['What went down came back, as promised.', 'Tick, tock, paid.'],
    soldDown: ['It stretched, and then it just stayed long.', 'The boomerang has moved abroad.'],
    sawRise: ['That is high, and I have seen high before.'],
    sawFall: ['Lovely, everything is on sale.', 'You shout, I open my purse slowly.'],
  },
  marketMaker: {
    bigBuy: ['Restocked the shelf, come on in.', 'I filled the left scale, somebody take the right.'],
    soldUp: ['Bought a little lower, sold a little higher, slept well.', 'Another honest penny for the till.'],
    soldDown: ['Clearance sale, everything must go, even me.', 'The shop is closed for stocktaking.'],
    sawRise: ['I measured it twice, and it is not worth that.'],
    sawFall: ['Now it costs less than I would charge.'],
  },
  whale: {
    bigBuy: ['I sat down, and the pool did the rest.', 'Was that wave me? I do apologise.'],
    soldUp: ['I got out of the bath, mind the water line.', 'Left the pond, took most of the pond.'],
    soldDown: ['A big belly flop, for those who watched.', 'Even the sea has a bottom, I have now met it.'],
    sawLaunch: ['A pond! How small, how sweet.'],
    sawFall: ['For once, the splash was somebody else.'],
  },
  sniper: {
    bigBuy: ['I was here before the door had a handle.', 'Clicked first, read later.'],
    soldUp: ['In, out, shoes still on.', 'The early worm sold to the bird.'],
    soldDown: ['Fastest finger, slowest exit.', 'I was first at the wrong door.'],
    sawLaunch: ['New pond? I am already in it.', 'I heard the paper rustle from three tents away.'],
    sawRise: ['You are all so late, and so welcome.'],
  },
  paperHands: {
    bigBuy: ['Bought it, and I already regret it a little.', 'My hands are shaking, so I bought twice.'],
    soldUp: ['A penny of profit! Somebody start the parade.', 'It went up, which scared me, so I sold.'],
    soldDown: ['It blinked, I ran.', 'I folded beautifully, like a swan.'],
    sawRise: ['It is up, which is how falling begins.'],
    sawFall: ['Is it going down? It is going down!', 'I sold before this, in my mind.'],
  },
  diamondHands: {
    bigBuy: ['Bought it to leave to my grandchildren.', 'This goes into the drawer that I never open.'],
    soldUp: ['I held it for so long that it became furniture, expensive furniture.'],
    soldDown: ['Even stones get tired.', 'I finally found the password, and wish I had not.'],
    sawRise: ['Wake me when it has three more zeros.'],
    sawFall: ['I have held worse things for longer.', 'Falling is just sitting down quickly.'],
  },
  launcher: {
    launch: ['Idea number ten since breakfast.', 'Built from string and hope, mostly string.'],
    bigBuy: ['I buy the inventions of others, to see how they tick.'],
    soldUp: ['The experiment worked, write that down.'],
    soldDown: ['The experiment fizzled, sweep that up.', 'Back to the workbench, with fewer fingers.'],
    sawLaunch: ['Ah, a fellow inventor with glue on the sleeves.', 'Does yours hum as well? Mine hums.'],
  },
  rugPuller: {
    launch: ['Lovely carpet, freshly laid, do stand on it.', 'You can trust this one; I said so myself.'],
    bigBuy: ['I have a good feeling about the floor here.'],
    soldUp: ['I leave by the side door, with the silver.'],
    soldDown: ['Somebody out-carpeted me.', 'Even I did not see that coming, and I look for it.'],
    sawLaunch: ['Nice floor, who laid it?'],
    sawRise: ['So many feet on one little rug.'],
  },
}

/**
 * Returns the texts that a bot of this strategy may post about an event: its strategy's own texts, then the common
 * texts.
 */
export function listLines(deed: Deed, strategy: StrategyName): readonly (readonly string[])[] {
  return [VOICES[strategy][deed] ?? [], EVERYONE[deed]]
}

/** All texts that house bots post. */
export const LINES: readonly string[] = [EVERYONE, ...Object.values(VOICES)].flatMap((lines) =>
  Object.values(lines).flat(),
)
