import type { Readable } from 'node:stream'

/** A longer line is no configuration. */
const LINE_MAX = 1_000_000

/** The lines of a stream, without their ends; ends with the stream. Throws for a line longer than a million characters. */
export async function* readLines(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new Error('A line of the input is too long.')
    yield* lines
  }
  if (rest !== '') yield rest
}
