import { Visitor } from 'rolldown/utils'
import { describe, expect, it } from 'vitest'
import { listFiles, parseFile, texts } from '../../lib/texts.mjs'

/** Max lines of a comment inside a function. */
const LINES_MAX = 3

/** Words that nobody should write, what to write instead, and a sample that breaks the rule. */
const rules = [
  [/\be-mail/i, 'email', 'Your E-mail address'],
  [/\b(some|every|any)body\b/i, 'someone, everyone, anyone', 'Everybody can read it'],
  [/\bone[’']s own\b/i, 'your, or name the owner', 'The tokens of one’s own'],
  [/\bout of reach\b/i, 'unavailable, or “Could not load …”', 'The chart is out of reach'],
  [
    /^(Whoever|Those (that|who|which)|Of (an?|the|which|whom) |What (waits|stands|became)\b)/,
    'a subject: name the thing',
    'Whoever has left stays in the sum.',
  ],
]

const findFaults = (text) => rules.filter(([wrong]) => wrong.test(text)).map(([, right]) => right)

describe.each(Object.entries(texts))('the words of %s', (_kind, read) => {
  it('follow the rules', async () => {
    const found = await read()
    const faults = found.flatMap(({ file, line, text }) =>
      findFaults(text).map((right) => `${file}:${line} ${text}: write ${right}`),
    )
    expect(found.length).toBeGreaterThan(100)
    expect(faults).toEqual([])
  })
})

describe('a comment inside a function', () => {
  it('is short', () => {
    const files = listFiles(/^(apps|packages|scripts)\/.*\.(tsx?|mjs)$/)
    expect(files.flatMap((file) => findLong(parseFile(file)).map((line) => `${file}:${line}`))).toEqual([])
  })
})

/** Returns the lines at which comments inside functions start that are too long. */
function findLong({ program, comments, source, lineAt }) {
  const bodies = []
  const add = ({ body }) => body && bodies.push(body)
  new Visitor({ FunctionDeclaration: add, FunctionExpression: add, ArrowFunctionExpression: add }).visit(program)
  const blocks = []
  for (const { type, start, end } of comments) {
    const last = blocks.at(-1)
    const goesOn = last?.type === 'Line' && type === 'Line' && /^\n\s*$/.test(source.slice(last.end, start))
    if (goesOn) last.end = end
    else blocks.push({ type, start, end })
  }
  return blocks
    .filter(({ start, end }) => lineAt(end) - lineAt(start) >= LINES_MAX)
    .filter(({ start, end }) => bodies.some((body) => body.start < start && end < body.end))
    .map(({ start }) => lineAt(start))
}
