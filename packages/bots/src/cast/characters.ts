import { HOUR_MS, MINUTE_MS } from '../market/figures.ts'
import type { StrategyName } from '../strategies/registry.ts'
import type { Temper } from '../strategies/temper.ts'
import type { Character } from './character.ts'

/** The default temper of the bots of each strategy. A character can change parts of it. */
const TEMPERS: Readonly<Record<StrategyName, Temper>> = {
  momentum: toTemper(1.2, 0.08, [1.5, 0.25, 0.08, 40 * MINUTE_MS]),
  meanReversion: toTemper(1.1, 0.07, [1.2, 0.06, 0.25, 3 * HOUR_MS]),
  marketMaker: toTemper(1.5, 0.06, [2, 0.1, 0.5, 12 * HOUR_MS]),
  whale: toTemper(0.25, 1, [7, 0.5, 0.25, 18 * HOUR_MS]),
  sniper: toTemper(1, 0.09, [0.6, 0.12, 0.05, 9 * MINUTE_MS]),
  paperHands: toTemper(1.3, 0.05, [0.4, 0.035, 0.025, 15 * MINUTE_MS]),
  diamondHands: { ...toTemper(0.5, 0.12, [3, 3, 1, 48 * HOUR_MS]), caution: 0.5 },
  launcher: toTemper(0.8, 0.1, [1.5, 0.5, 0.4, 8 * HOUR_MS]),
  rugPuller: toTemper(0.7, 0.06, [0.5, 0.05, 0.04, 2 * HOUR_MS]),
}

function toTemper(
  activity: number,
  size: number,
  [bagMax, greed, fear, patienceMs]: [number, number, number, number],
): Temper {
  const usual = { sizeSpread: 0.8, poolShareMax: 1, fairMultiple: 1, caution: 1 }
  return { ...usual, activity, size, bagMax, greed, fear, patienceMs }
}

function cast(
  strategy: StrategyName,
  [name, emoji, about]: [string, string, string],
  own: Partial<Temper> = {},
): Character {
  return { name, emoji, about, strategy, temper: { ...TEMPERS[strategy], ...own } }
}

export const CHARACTERS: readonly Character[] = [
  cast('momentum', ['Uphill Ursula', '🚵', 'If it goes up, I go with it; if it goes down, I was never here.']),
  cast('momentum', ['Tailwind Tim', '🪁', 'I do not predict the wind, I only hold the string.'], {
    activity: 1.5,
    size: 0.05,
  }),
  cast('momentum', ['Surfing Otter', '🦦', 'Every wave is my wave until it is not.'], { greed: 0.4, fear: 0.12 }),
  cast('momentum', ['Bandwagon Bea', '🚌', 'I heard there was a queue, so I joined it.'], {
    fear: 0.04,
    patienceMs: 15 * MINUTE_MS,
    caution: 0.5,
  }),
  cast('meanReversion', ['Boomerang Bob', '🪃', 'What goes up comes back to me.']),
  cast('meanReversion', ['Rubber Duchess', '🦆', 'Stretch it far enough and it snaps back, says my bath.'], {
    size: 0.1,
    greed: 0.1,
  }),
  cast('meanReversion', ['Pendulum Pia', '🕰️', 'Tick means tock, always has.'], { activity: 1.4, size: 0.04 }),
  cast('meanReversion', ['Calm Clam', '🐚', 'I open when everyone else is shouting.'], { patienceMs: 6 * HOUR_MS }),
  cast('marketMaker', ['Two-Sided Tess', '⚖️', 'I buy a little lower, I sell a little higher, I sleep well.']),
  cast('marketMaker', ['Corner Shop Carl', '🏪', 'Always open, always something on the shelf.'], {
    size: 0.04,
    bagMax: 1.2,
  }),
  cast('marketMaker', ['Fair Enough Fran', '📏', 'I measured it twice and it is worth exactly this.'], {
    size: 0.09,
    bagMax: 3,
  }),
  cast('whale', ['Bathtub Whale', '🐳', 'I make waves, mostly by accident.']),
  cast('whale', ['Baron von Splash', '🐋', 'I never check the price, only the depth.'], {
    size: 1.6,
    bagMax: 9,
    activity: 0.18,
    caution: 0.5,
  }),
  cast('whale', ['Quiet Mammoth', '🦣', 'I tread softly, yet the floor disagrees.'], {
    size: 0.7,
    greed: 0.8,
    patienceMs: 30 * HOUR_MS,
  }),
  cast('sniper', ['First Frog', '🐸', 'New pond? I am already in it.']),
  cast('sniper', ['Quick Quokka', '⚡', 'I read the first letter and click.'], {
    size: 0.05,
    patienceMs: 5 * MINUTE_MS,
    caution: 0.5,
  }),
  cast('sniper', ['Early Worm', '🪱', 'The bird is late; I checked.'], {
    greed: 0.25,
    fear: 0.1,
    patienceMs: 20 * MINUTE_MS,
  }),
  cast('sniper', ['Door Dash Dora', '🚪', 'First in, first out, shoes still on.'], { size: 0.12, fear: 0.03 }),
  cast('paperHands', ['Nervous Noodle', '🍜', 'Is it going down? It looks like it is going down.']),
  cast('paperHands', ['Origami Oli', '🧻', 'I fold beautifully and often.'], { greed: 0.05, activity: 1.6 }),
  cast('paperHands', ['Jumpy Jellyfish', '🪼', 'I have no spine and I am fine with that.'], {
    fear: 0.015,
    size: 0.03,
  }),
  cast('paperHands', ['Sir Sells-a-Lot', '🏃', 'A penny of profit is a parade.'], {
    greed: 0.02,
    patienceMs: 25 * MINUTE_MS,
  }),
  cast('paperHands', ['Hiccup Henry', '🐿️', 'I bought a nut, panicked, and sold the tree.'], { size: 0.07, fear: 0.05 }),
  cast('diamondHands', ['Granite Grandma', '👵', 'I have held worse things for longer.']),
  cast('diamondHands', ['Barnacle Ben', '🪨', 'Once attached, attached.'], { size: 0.06, greed: 5 }),
  cast('diamondHands', ['Forgetful Fox', '🦊', 'I am not patient, I lost my password.'], {
    activity: 0.3,
    patienceMs: 90 * HOUR_MS,
  }),
  cast('launcher', ['Confetti Cannon', '🎉', 'I have had nine ideas since breakfast and here is one.']),
  cast('launcher', ['Professor Pop', '🧪', 'Most experiments fizzle; that is why I make many.'], { size: 0.15 }),
  cast('launcher', ['Tinker Toad', '🛠️', 'I built it last night out of string and hope.'], { size: 0.07, greed: 0.9 }),
  cast('rugPuller', ['Carpet Carla', '🧶', 'Lovely rug, is it not? Mind your step.']),
  cast('rugPuller', ['Smooth Sid', '🎩', 'You can trust me; I said so myself.'], {
    patienceMs: 5 * HOUR_MS,
    activity: 0.5,
  }),
]
