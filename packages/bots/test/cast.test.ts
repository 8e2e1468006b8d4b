import { describe, expect, it } from 'vitest'
import { CHARACTERS, createRandom, STORIES, STRATEGIES, StoryTeller } from '../src/index.ts'

const EMOJI = /^\p{RGI_Emoji}$/v
/** One line in Latin script, with only the characters that a username or a token's texts can contain. */
const PLAIN = /^[\p{Script=Latin}\d '’.,;:?!+()-]+$/u
const distinct = (texts: readonly string[]) => new Set(texts.map((text) => text.toLowerCase())).size

describe('characters', () => {
  it('are about thirty, each with its own name, one emoji and a sentence', () => {
    expect(CHARACTERS.length).toBeGreaterThanOrEqual(30)
    expect(distinct(CHARACTERS.map(({ name }) => name))).toBe(CHARACTERS.length)
    expect(distinct(CHARACTERS.map(({ emoji }) => emoji))).toBe(CHARACTERS.length)
    expect(distinct(CHARACTERS.map(({ about }) => about))).toBe(CHARACTERS.length)
    for (const { name, emoji, about } of CHARACTERS) {
      expect(name).toMatch(PLAIN)
      expect(name.length).toBeLessThanOrEqual(32)
      expect(emoji).toMatch(EMOJI)
      expect(about).toMatch(/[.?]$/)
      expect(about.length).toBeLessThanOrEqual(100)
    }
  })

  it('include every strategy, each with its own temper', () => {
    expect(new Set(CHARACTERS.map(({ strategy }) => strategy))).toEqual(new Set(Object.keys(STRATEGIES)))
    const tempers = CHARACTERS.map(({ strategy, temper }) => strategy + JSON.stringify(temper))
    expect(new Set(tempers).size).toBe(CHARACTERS.length)
  })
})

describe('token stories', () => {
  it('are about forty, short, with distinct names, tickers and emoji', () => {
    expect(STORIES.length).toBeGreaterThanOrEqual(40)
    for (const key of ['name', 'symbol', 'emoji', 'description'] as const) {
      expect(distinct(STORIES.map((story) => story[key]))).toBe(STORIES.length)
    }
    for (const { name, symbol, emoji, description } of STORIES) {
      expect(name).toMatch(PLAIN)
      expect(name.length).toBeLessThanOrEqual(32)
      expect(symbol).toMatch(/^[A-Z\d]{1,10}$/)
      expect(emoji).toMatch(EMOJI)
      expect(description).toMatch(PLAIN)
      expect(description.length).toBeLessThanOrEqual(160)
    }
  })

  it('never run out, and no name or ticker is used twice', () => {
    const teller = new StoryTeller(createRandom(3))
    const told = Array.from({ length: 900 }, () => teller.tell())
    expect(distinct(told.map(({ name }) => name))).toBe(told.length)
    expect(distinct(told.map(({ symbol }) => symbol))).toBe(told.length)
    for (const { name, symbol, emoji } of told) {
      expect(name.length).toBeLessThanOrEqual(32)
      expect(symbol).toMatch(/^[A-Z\d]{1,10}$/)
      expect(emoji).toMatch(EMOJI)
    }
  })

  it('leave out names that others have taken', () => {
    const first = new StoryTeller(createRandom(3)).tell()
    const teller = new StoryTeller(createRandom(3))
    teller.note(first.name)
    expect(Array.from({ length: 100 }, () => teller.tell().name)).not.toContain(first.name)
  })
})
