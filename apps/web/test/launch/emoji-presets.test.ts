import { expect, it } from 'vitest'
import { DEFAULT_EMOJI, EMOJI_PRESETS, findEmojis } from '../../src/features/launch/emoji-presets.ts'

it('offers about 150 emojis, each once, each a single emoji with search words', () => {
  const emojis = EMOJI_PRESETS.map(({ emoji }) => emoji)
  expect(emojis.length).toBeGreaterThanOrEqual(140)
  expect(emojis.length).toBeLessThanOrEqual(175)
  expect(new Set(emojis).size).toBe(emojis.length)
  expect(emojis.filter((emoji) => !/^\p{RGI_Emoji}$/v.test(emoji))).toEqual([])
  expect(EMOJI_PRESETS.filter(({ words }) => words === '')).toEqual([])
  expect(emojis[0]).toBe(DEFAULT_EMOJI)
})

it('finds them by word', () => {
  expect(findEmojis('Rocket').map(({ emoji }) => emoji)).toEqual(['🚀'])
})
