import fc from 'fast-check'
import superjson from 'superjson'
import { describe, expect, it } from 'vitest'
import { BadInputError } from '../../src/errors.ts'
import {
  assertPlainInput,
  INPUT_DEPTH_MAX,
  INPUT_KEY_CHARS_MAX,
  INPUT_VALUES_MAX,
  JSON_DEPTH_MAX,
  JSON_PARTS_MAX,
  OVERSIZED_JSON,
  openEnvelope,
  PATH_CHARS_MAX,
  PATHS_MAX,
  parseBoundedJson,
} from '../../src/validation/plain-input.ts'

/** Decodes an input like the server. */
function decode(raw: unknown): unknown {
  const input = openEnvelope(raw)
  assertPlainInput(input)
  return input
}
/** Returns the envelope of a value as the server receives it. */
const sent = (value: unknown) => JSON.parse(JSON.stringify(superjson.serialize(value)))

const NAMES = ['a', 'tokenId', '0', 'length', '__proto__', 'constructor', 'prototype', 'toString', 'x'.repeat(65)]
const TYPES = [
  'undefined',
  'bigint',
  'Date',
  'Error',
  'regexp',
  'set',
  'map',
  'number',
  'URL',
  ['typed-array', 'Uint8Array'],
  ['class', 'Object'],
  ['custom', 'decimal'],
  ['symbol', 'x'],
]

describe('superjson’s encoding of plain values', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['an object', { tokenId: 1, solAmount: '0.01' }],
    ['undefined fields', { a: undefined, b: { c: undefined, d: [1, undefined] } }],
    ['an undefined element', [undefined, 1]],
  ])('is read as it was meant: %s', (_name, value) => {
    expect(decode(sent(value))).toStrictEqual(value)
  })

  it('is decoded to the same value', () => {
    const name = fc.string({ maxLength: 8 }).filter((text) => !/[.\\]|^(__proto__|constructor|prototype)$/.test(text))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: INPUT_DEPTH_MAX - 2, withCrossShrink: true },
        fc.constantFrom(undefined, null, true, 0, 1.5, 'text'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, (given) => {
        expect(decode(sent(given))).toStrictEqual(given)
      }),
    )
  })

  it.each([
    ['nothing', undefined],
    ['an object', { tokenId: 1, solAmount: '0.01' }],
    ['an object with names of an envelope', { json: 1, more: 1 }],
    ['a list', [{ json: 1 }]],
    ['a number', 5],
    ['null', null],
  ])('is not needed: plain JSON stays as it is: %s', (_name, value) => {
    expect(decode(value)).toBe(value)
  })

  it('keeps the last event id that tRPC’s socket adds to it', () => {
    expect(decode({ json: { tokenId: 1 }, lastEventId: '7' })).toEqual({ tokenId: 1, lastEventId: '7' })
    expect(decode({ json: undefined, lastEventId: '7' })).toEqual({ lastEventId: '7' })
  })
})

describe('rejected envelopes', () => {
  it.each(TYPES.slice(1).flatMap((type) => [[[type]], [{ a: [type] }], [{ a: [type, { b: ['undefined'] }] }]]))(
    'the annotation %j',
    (values) => {
      expect(() => decode({ json: { a: { length: 1e6, b: null } }, meta: { values } })).toThrow(BadInputError)
    },
  )

  it.each([
    ['referential equalities', { json: { a: {} }, meta: { referentialEqualities: { a: ['b'] } } }],
    ['another version', { json: null, meta: { values: ['undefined'], v: 2 } }],
    [
      'undefined instead of a value',
      { json: { minTokensOut: '1' }, meta: { values: { minTokensOut: ['undefined'] } } },
    ],
    ['undefined instead of the whole input', { json: { a: 1 }, meta: { values: ['undefined'] } }],
    ['undefined for a missing property', { json: {}, meta: { values: { a: ['undefined'] } } }],
    ['a nested tree of annotations', { json: { a: { b: null } }, meta: { values: { a: { b: ['undefined'] } } } }],
    ['a path through a prototype', { json: { a: null }, meta: { values: { '__proto__.a': ['undefined'] } } }],
    ['a path through a constructor', { json: { a: null }, meta: { values: { 'constructor.a': ['undefined'] } } }],
    ['a long path', { json: { a: null }, meta: { values: { [`${'a.'.repeat(PATH_CHARS_MAX)}a`]: ['undefined'] } } }],
    ['the key __proto__', JSON.parse('{"json":{"__proto__":{"isAdmin":true}}}')],
    ['the key constructor', { json: { a: { constructor: 1 } } }],
    ['a long key', { json: { ['k'.repeat(INPUT_KEY_CHARS_MAX + 1)]: 1 } }],
    ['a deep value', { json: JSON.parse(`${'['.repeat(INPUT_DEPTH_MAX + 1)}${']'.repeat(INPUT_DEPTH_MAX + 1)}`) }],
    ['a very deep value', { json: JSON.parse(`${'['.repeat(15_000)}${']'.repeat(15_000)}`) }],
    ['many values', { json: new Array(INPUT_VALUES_MAX).fill(0) }],
    ['many keys', { json: Object.fromEntries(Array.from({ length: INPUT_VALUES_MAX }, (_, i) => [`k${i}`, 0])) }],
  ])('%s', (_name, raw) => {
    expect(() => decode(raw)).toThrow(BadInputError)
  })

  it('include more annotations than allowed', () => {
    const names = Array.from({ length: PATHS_MAX + 1 }, (_, i) => `k${i}`)
    const json = Object.fromEntries(names.map((name) => [name, null]))
    const values = Object.fromEntries(names.map((name) => [name, ['undefined']]))
    expect(() => decode({ json, meta: { values } })).toThrow(BadInputError)
  })
})

/** Returns a proxy of a value that counts the reads of its parts. */
function countingReads(value: unknown): { readonly seen: unknown; count(): number } {
  let reads = 0
  const wrap = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    return new Proxy(part, {
      get: (target, name) => {
        reads++
        return wrap(Reflect.get(target, name))
      },
      getOwnPropertyDescriptor: (target, name) => {
        reads++
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    })
  }
  return { seen: wrap(value), count: () => reads }
}

describe('any envelope', () => {
  const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 70 }))
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: INPUT_DEPTH_MAX + 3, depthSize: 'large' },
      fc.constantFrom(null, 0, 200_000_000, 'NaN', '1', '/a/g', true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(objectFrom),
    ),
  })).value
  const path = fc.array(name, { maxLength: 12 }).map((names) => names.join('.'))
  const mark = fc.constantFrom(...TYPES).map((type) => [type])
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      mark,
      fc.constant(['undefined']),
      fc.tuple(fc.constantFrom(...TYPES), fc.array(fc.tuple(path, tie('node')), { maxLength: 3 }).map(objectFrom)),
      fc.array(fc.tuple(path, tie('node')), { maxLength: 4 }).map(objectFrom),
      json,
    ),
  })).node
  const envelope = fc.oneof(
    fc.record({
      json,
      meta: fc.record(
        { values: tree, v: fc.constantFrom(0, 1, 2, 'x') },
        { requiredKeys: ['values'], noNullPrototype: true },
      ),
    }),
    fc.record({
      json,
      meta: fc.record({ referentialEqualities: tree, values: tree }, { requiredKeys: [], noNullPrototype: true }),
    }),
    fc.record({ json, meta: json }, { requiredKeys: [], noNullPrototype: true }),
    json,
  )

  it('is rejected as bad input, or becomes plain bounded JSON with bounded work, and changes no prototype', () => {
    const before = prototypes()
    fc.assert(
      fc.property(envelope, (raw) => {
        const watched = countingReads(raw)
        try {
          expect(isPlain(decode(watched.seen), INPUT_DEPTH_MAX)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(BadInputError)
        }
        // At most two reads are allowed per value and per name, and one per part of an annotation's path.
        expect(watched.count()).toBeLessThan(4 * INPUT_VALUES_MAX + PATHS_MAX * PATH_CHARS_MAX)
        expect(prototypes()).toEqual(before)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['a list', new Array(16_000).fill(0)],
    ['lists in lists', Array.from({ length: 100 }, () => new Array(100).fill([]))],
    ['an object', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]))],
    ['a wrong length', { length: 200_000_000 }],
  ])('is looked at only as far as is accepted: %s', (_name, value) => {
    const watched = countingReads({ json: value, meta: { values: [['typed-array', 'Uint8Array']] } })
    expect(() => decode(watched.seen)).toThrow(BadInputError)
    expect(watched.count()).toBeLessThan(4 * INPUT_VALUES_MAX)
  })
})

/** Creates an object with these own properties, including `__proto__`. */
function objectFrom(entries: readonly (readonly [string, unknown])[]): object {
  return JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`)
}

function prototypes(): unknown {
  return [Object.prototype, Array.prototype, Function.prototype].map((one) => Object.getOwnPropertyNames(one))
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return !['function', 'symbol', 'bigint'].includes(typeof value)
  if (depth === 0 || ![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))) return false
  return Object.keys(value).every((name) => isPlain(Reflect.get(value, name), depth - 1))
}

/** Makes any text so long that `parseBoundedJson` checks it. */
const PADDING = ' '.repeat(1_000)
const parse = (text: string) => parseBoundedJson(PADDING + text)

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const list = (count: number) => `[${new Array(count).fill(0).join(',')}]`

describe('JSON within the bounds', () => {
  it('is parsed like any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parse(text)).toStrictEqual(JSON.parse(text))
      }),
    )
  })

  it('can have any number of brackets and commas in texts, after any number of backslashes', () => {
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
  ])('has a limit of %s', (_name, most, more) => {
    expect(parse(most)).toEqual(JSON.parse(most))
    expect(parse(more)).toBe(OVERSIZED_JSON)
  })
})

it.each(['{"broken', '"\\"', '[1,', '{}}', '', '"a" "b', '\\"'])(
  'text that is not JSON is still an error: %s',
  (text) => {
    expect(() => parse(text)).toThrow(SyntaxError)
  },
)

it('JSON that is too deep is rejected without being parsed', () => {
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
