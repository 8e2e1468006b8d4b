import type { Random } from '../random/random.ts'
import { STORIES } from './stories.ts'
import type { TokenStory } from './story.ts'

const MOODS = [
  ...['Sleepy', 'Turbo', 'Polite', 'Cosmic', 'Soggy', 'Fancy', 'Grumpy', 'Lucky', 'Tiny', 'Dizzy', 'Velvet', 'Wobbly'],
  ...['Brave', 'Shy', 'Salty', 'Sunny', 'Foggy', 'Crunchy', 'Musical', 'Sneaky', 'Retired', 'Curious', 'Upside-Down'],
]
const HEROES: readonly (readonly [name: string, emoji: string])[] = [
  ...([
    ['Walrus', '🦭'],
    ['Pretzel', '🥨'],
    ['Lobster', '🦞'],
    ['Waffle', '🧇'],
    ['Badger', '🦡'],
    ['Kettle', '🫖'],
  ] as const),
  ...([
    ['Avocado', '🥑'],
    ['Peacock', '🦚'],
    ['Speedboat', '🚤'],
    ['Lantern', '🏮'],
    ['Sloth', '🦥'],
    ['Acorn', '🌰'],
  ] as const),
  ...([
    ['Beaver', '🦫'],
    ['Muffin', '🧁'],
    ['Comet', '☄️'],
    ['Trumpet', '🎺'],
    ['Gecko', '🦎'],
    ['Noodle', '🍜'],
  ] as const),
  ...([
    ['Flamingo', '🦩'],
    ['Carrot', '🥕'],
    ['Mitten', '🧤'],
    ['Cushion', '🛋️'],
    ['Yo-Yo', '🪀'],
    ['Squid', '🦑'],
  ] as const),
]
const PLANS = [
  'to open a tiny hotel',
  'to learn the accordion',
  'to be on time for once',
  'to win a staring contest with the moon',
  'to alphabetise the clouds',
  'to invent the wheel again, but rounder',
  'to sail around the bathtub',
  'to host the longest brunch on record',
]
const HITCHES = [
  'The map is upside down.',
  'Rehearsals are loud.',
  'Nobody has told the neighbours.',
  'It has asked for a small push.',
  'The plan fits on a napkin.',
  'So far there is a logo.',
]
/** Max number of used names that are stored. */
const USED_MAX = 2048
/** Max number of attempts to find an unused name. After these attempts, a number is added to the name. */
const TRIES = 8

/**
 * Provides stories for launches: first the written stories in seeded order, then generated ones. No two stories have
 * the same name.
 */
export class StoryTeller {
  readonly #random: Random
  readonly #used = new Set<string>()
  readonly #written: TokenStory[]
  #count = 0

  constructor(random: Random) {
    this.#random = random
    const order = STORIES.map((story) => ({ story, key: random.next() }))
    this.#written = order.sort((a, b) => a.key - b.key).map(({ story }) => story)
  }

  /** Records that a token's name and ticker are used, whoever launched the token. */
  note(name: string): void {
    if (this.#used.size >= USED_MAX)
      for (const oldest of this.#used) {
        this.#used.delete(oldest)
        break
      }
    this.#used.add(name)
  }

  /** Returns the next story. No story is used twice, even if its token is not launched. */
  tell(): TokenStory {
    for (let story = this.#written.pop(); story !== undefined; story = this.#written.pop())
      if (this.#isNew(story)) return this.#tellAs(story)
    let story = makeStory(this.#random)
    for (let attempt = 1; attempt < TRIES && !this.#isNew(story); attempt++) story = makeStory(this.#random)
    return this.#tellAs(this.#isNew(story) ? story : number(story, ++this.#count))
  }

  #isNew({ name, symbol }: TokenStory): boolean {
    return !this.#used.has(name) && !this.#used.has(symbol)
  }

  #tellAs(story: TokenStory): TokenStory {
    this.note(story.name)
    this.note(story.symbol)
    return story
  }
}

function makeStory(random: Random): TokenStory {
  const mood = random.pick(MOODS)
  const [hero, emoji] = random.pick(HEROES)
  const toLetters = (word: string, count: number) => word.replaceAll('-', '').slice(0, count)
  return {
    name: `${mood} ${hero}`,
    symbol: `${toLetters(mood, 4)}${toLetters(hero, 4)}`.toUpperCase(),
    emoji,
    description: `A ${mood.toLowerCase()} ${hero.toLowerCase()} that plans ${random.pick(PLANS)}. ${random.pick(HITCHES)}`,
  }
}

/** Makes a story unique by adding a number from 2 on. */
function number(story: TokenStory, count: number): TokenStory {
  return { ...story, name: `${story.name} ${count + 1}`, symbol: `${story.symbol.slice(0, 6)}${(count + 1) % 10_000}` }
}
