import { procedures } from '@papermoon/contract'
import { describe, expect, it } from 'vitest'
import { ZodArray, ZodNever, ZodObject, ZodRecord, type ZodType, ZodUnion, z } from 'zod'
import { assertKnownProperties, unwrapSchema } from '../../src/validation/known-properties.ts'

const wallet = z.object({ address: z.string(), label: z.string().optional() })
const schema = z.object({
  tokenId: z.number(),
  minTokensOut: z.string().optional(),
  main: wallet.nullish(),
  others: z.array(wallet).default([]),
  piped: wallet.transform(({ address }) => address).optional(),
  either: z.union([z.string(), wallet, z.object({ pin: z.string() })]).optional(),
  shut: z.readonly(wallet).prefault({ address: 'x' }),
})

function sentenceFor(input: unknown, of: ZodObject | null = schema): string | null {
  try {
    assertKnownProperties(of, input)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('an unknown property', () => {
  it.each([
    [{ tokenId: 1, minTokenOut: '1' }, 'minTokenOut is unknown; did you mean minTokensOut?'],
    [{ min_tokens_out: '1' }, 'min_tokens_out is unknown; did you mean minTokensOut?'],
    [{ MINTOKENSOUT: '1' }, 'MINTOKENSOUT is unknown; did you mean minTokensOut?'],
    [{ somethingElse: '1' }, 'somethingElse is unknown.'],
    [{ toString: '1' }, 'toString is unknown.'],
    [JSON.parse('{"__proto__":1}'), '__proto__ is unknown.'],
    [{ '': '1' }, 'A property of the input is unknown.'],
    [{ 'a\u202eb': '1' }, 'A property of the input is unknown.'],
    [{ ['x'.repeat(200)]: '1' }, 'A property of the input is unknown.'],
    [{ main: { adress: 'x' } }, 'main.adress is unknown; did you mean main.address?'],
    [
      { others: [{ address: 'x' }, { address: 'x', labl: 'y' }] },
      'others.1.labl is unknown; did you mean others.1.label?',
    ],
    [{ piped: { adress: 'x' } }, 'piped.adress is unknown; did you mean piped.address?'],
    [{ shut: { adress: 'x' } }, 'shut.adress is unknown; did you mean shut.address?'],
    [{ either: { adress: 'x' } }, 'either.adress is unknown; did you mean either.address?'],
  ])('of %j is named, with the nearest that is known', (input, sentence) => {
    expect(sentenceFor(input)).toBe(sentence)
  })

  it.each([
    [{ tokenId: 1 }],
    [{ tokenId: 'wrong', main: null, others: [], either: 'text' }],
    [{ either: { pin: '1' } }],
    [{ main: 'text', others: { 0: 1 } }],
    ['text'],
    [null],
    [undefined],
  ])('is not seen where there is none: %j', (input) => {
    expect(sentenceFor(input)).toBeNull()
  })

  it('is any property of a procedure without input', () => {
    expect([undefined, null, {}].map((input) => sentenceFor(input, null))).toEqual([null, null, null])
    expect(sentenceFor({ x: 1 }, null)).toBe('x is unknown.')
    expect(['text', 5, [], [1]].map((input) => sentenceFor(input, null))).toEqual(
      new Array(4).fill('This call takes no input.'),
    )
  })
})

/** Returns the parts of a schema that accept properties of any name. Nothing would check these properties. */
function openParts(part: unknown, path: string): string[] {
  const core = unwrapSchema(part)
  if (core instanceof ZodObject) {
    const parts = Object.entries(core.shape).flatMap(([name, child]) => openParts(child, `${path}.${name}`))
    return core.def.catchall === undefined || core.def.catchall instanceof ZodNever ? parts : [...parts, path]
  }
  if (core instanceof ZodArray) return openParts(core.element, `${path}[]`)
  if (core instanceof ZodUnion) return core.options.flatMap((option) => openParts(option, path))
  const kind = (core as ZodType).def.type
  return core instanceof ZodRecord || !CLOSED.has(kind) ? [`${path} (${kind})`] : []
}
const CLOSED: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'literal',
  'enum',
  'null',
  'undefined',
])

/** WebAuthn lets browsers add extensions, which the server ignores. */
const EXTENSIONS = [
  'auth.loginWithPasskey.credential.clientExtensionResults (record)',
  'passkeys.add.credential.clientExtensionResults (record)',
  'security.confirm.passkey.clientExtensionResults (record)',
]

describe('the schemas of all procedures', () => {
  it('name every property that they accept: use z.object, z.array, z.union and plain values', () => {
    const open = [...procedures].flatMap(([path, { input }]) => (input === null ? [] : openParts(input, path)))
    const surprises = open.filter((part) => !EXTENSIONS.includes(part))
    expect(
      surprises.map((part) => `${part} takes any property: name them in the schemas.ts of its feature with z.object`),
    ).toEqual([])
    expect(open.sort()).toEqual(EXTENSIONS)
  })
})
