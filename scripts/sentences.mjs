import { fail } from './lib/project.mjs'
import { texts } from './lib/texts.mjs'

/**
 * `npm run sentences -- KIND [COUNT SEED] [PATH]`: prints the texts that people read, one per line with its file and
 * line. With COUNT and SEED, prints only COUNT random texts, for a judge. PATH selects files whose path contains it.
 */
const [kind, count, seed, path = ''] = process.argv.slice(2)
const read = texts[kind] ?? fail(`Name one of ${Object.keys(texts).join(', ')}.`)
const found = [...new Map((await read()).map((text) => [text.text, text])).values()]
const named = found.filter(({ file }) => file.includes(path))
for (const { file, line, text } of count > 0 ? draw(named) : named) process.stdout.write(`${file}:${line}\t${text}\n`)

/** Shuffles the texts with a fixed seed, by mulberry32, and returns the first ones. */
function draw(texts) {
  let state = Number(seed) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const keyed = texts.map((text) => ({ key: next(), text })).sort((a, b) => a.key - b.key)
  return keyed.slice(0, Number(count)).map(({ text }) => text)
}
