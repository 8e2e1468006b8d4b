import type { Random } from '../random/random.ts'
import type { TokenStory } from './story.ts'

const OPENERS = ['Sleepy', 'Turbo', 'Polite', 'Cosmic', 'Soggy', 'Fancy', 'Grumpy', 'Lucky', 'Tiny', 'Dizzy']
const HEROES: readonly (readonly [name: string, emoji: string])[] = [
  ['Teapot', '🫖'],
  ['Walrus', '🦭'],
  ['Pickle', '🥒'],
  ['Snail', '🐌'],
]

/** Makes up a story for a further token. */
export function makeStory(random: Random): TokenStory {
  const opener = random.pick(OPENERS)
  const [hero, emoji] = random.pick(HEROES)
  const symbol = `${opener.slice(0, 3)}${hero.slice(0, 4)}`.toUpperCase()
  return { name: `${opener} ${hero}`, symbol, emoji, description: `A ${hero.toLowerCase()} with plans.` }
}
