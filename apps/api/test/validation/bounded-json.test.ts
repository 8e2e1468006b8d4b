import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JSON_DEPTH_MAX, JSON_PARTS_MAX, OVERSIZED_JSON, parseBoundedJson } from '../../src/validation/plain-input.ts'

/** Makes any text long enough to be looked at. */
const PADDING = ' '.repeat(1_000)
const parse = (text: string) => parseBoundedJson(PADDING + text)

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const list = (count: number) => `[${new Array(count).fill(0).join(',')}]`

describe('JSON within the bounds', () => {
  it('is parsed as ever', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parse(text)).toStrictEqual(JSON.parse(text))
      }),
    )
  })

  it('may have any number of brackets and commas in texts, after any number of backslashes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\\', '"', ',', '[', '{', '}', ']', 'x'), { maxLength: 40 }), (parts) => {
        const value = { text: parts.join(''), more: '[{,'.repeat(JSON_PARTS_MAX), [`\\${parts.join('')}`]: ['last'] }
        expect(parse(JSON.stringify(value))).toStrictEqual(value)
      }),
    )
  })

  it.each([
    ['depth', nest(JSON_DEPTH_MAX), nest(JSON_DEPTH_MAX + 1)],
    ['elements', list(JSON_PARTS_MAX), list(JSON_PARTS_MAX + 1)],
  ])('ends at a bound of %s', (_name, most, more) => {
    expect(parse(most)).toEqual(JSON.parse(most))
    expect(parse(more)).toBe(OVERSIZED_JSON)
  })
})

it.each(['{"broken', '"\\"', '[1,', '{}}', '', '"a" "b', '\\"'])('text that is no JSON stays an error: %s', (text) => {
  expect(() => parse(text)).toThrow(SyntaxError)
})

it('is noticed as too deep without being parsed', () => {
  const parseJson = JSON.parse
  try {
    JSON.parse = () => {
      throw new Error('parsed')
    }
    expect(parseBoundedJson(nest(15_000))).toBe(OVERSIZED_JSON)
  } finally {
    JSON.parse = parseJson
  }
})
