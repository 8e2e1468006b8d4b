/** An input crafted to be expensive for the server and cheap for its sender. */
export interface Gadget {
  readonly name: string
  /** JSON in superjson's envelope. */
  readonly input: string
  /** Whether it fits into a URL. */
  readonly isShort: boolean
}

const TYPED_ARRAY = '{"json":{"length":200000000},"meta":{"values":[["typed-array","Uint8Array"]]}}'
const LEVELS = 7_000
/** Just below the server's body limit. */
const NUMBERS = 16_000
const PARTS = 15_500
const NAMES = 2_500

/** Input of a call without input. */
export const EMPTY: Gadget = { name: 'empty', input: '{"json":null,"meta":{"values":["undefined"]}}', isShort: true }

export const GADGETS: readonly Gadget[] = [
  { name: 'typed array', input: TYPED_ARRAY, isShort: true },
  { name: 'set', input: `{"json":[${zeros(NUMBERS)}],"meta":{"values":["set"]}}`, isShort: false },
  { name: 'big number', input: `{"json":"${'9'.repeat(32_000)}","meta":{"values":["bigint"]}}`, isShort: false },
  {
    name: 'long path',
    input: `{"json":{"a":null},"meta":{"values":{"${'a.'.repeat(PARTS)}a":["undefined"]}}}`,
    isShort: false,
  },
  {
    name: 'many paths',
    input: `{"json":{"a":null},"meta":{"values":{${names('["undefined"]')}},"v":1}}`,
    isShort: false,
  },
  { name: 'deep lists', input: `{"json":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`, isShort: false },
  {
    name: 'deep annotations',
    input: `{"json":null,"meta":{"values":${nested('{"a":', '["Date"]', '}')}}}`,
    isShort: false,
  },
  {
    name: 'equal paths',
    input: `{"json":{"a":{}},"meta":{"referentialEqualities":{"a":[${paths()}]}}}`,
    isShort: false,
  },
  { name: 'many keys', input: `{"json":{${names('0')}}}`, isShort: false },
]

function zeros(count: number): string {
  return new Array<number>(count).fill(0).join(',')
}

function names(value: string): string {
  const most = Math.floor(30_000 / (value.length + 9))
  return Array.from({ length: Math.min(NAMES, most) }, (_, i) => `"k${i}":${value}`).join(',')
}

function paths(): string {
  return Array.from({ length: NAMES }, (_, i) => `"k${i}"`).join(',')
}

function nested(open: string, middle: string, close: string): string {
  const levels = 5_000
  return `${open.repeat(levels)}${middle}${close.repeat(levels)}`
}
