import { fail } from './lib/project.mjs'
import { texts } from './lib/texts.mjs'

/**
 * `npm run --silent sentences -- KIND`: prints the texts that people read, one per line with its file and line. For a
 * judge, `shuf -n 120` draws some of them.
 */
const [kind] = process.argv.slice(2)
const read = texts[kind] ?? fail(`Name one of ${Object.keys(texts).join(', ')}.`)
const found = new Map((await read()).map((text) => [text.text, text]))
for (const { file, line, text } of found.values()) process.stdout.write(`${file}:${line}\t${text}\n`)
