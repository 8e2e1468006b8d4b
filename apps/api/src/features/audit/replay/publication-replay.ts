import { createHash } from 'node:crypto'
import { headLine, publicationStart } from '@papermoon/chain'
import type { Differences } from '../differences.ts'
import type { PublicationRow, PublishedRow } from '../store.ts'
import type { RowStream } from '../streaming-snapshot.ts'

/** Both ordered by hour. */
export interface PublicationStreams {
  readonly publications: RowStream<PublicationRow>
  readonly heads: RowStream<PublishedRow>
}

/**
 * Rebuilds every publication's digest from the stored heads and compares it, and the previous digest it names. Memory
 * grows with the number of tokens. Stops at the first difference, since a wrong head is part of all later publications.
 */
export async function comparePublications(streams: PublicationStreams, differences: Differences): Promise<void> {
  const { publications } = streams
  const heads = new HeadLines(streams.heads)
  let previous: string | null = null
  for (let row = await publications.take(); row !== undefined; row = await publications.take()) {
    await heads.moveTo(row.hour)
    const expected = { tokens: heads.count, previous, digest: heads.digest(row.hour, previous) }
    for (const figure of ['tokens', 'previous', 'digest'] as const) {
      if (row[figure] === expected[figure]) continue
      const what = `${figure} is ${row[figure]} and has to be ${expected[figure]}; those after it are not compared`
      differences.add(`publication for ${row.hour.toISOString()}`, what)
      return
    }
    previous = row.digest
  }
}

/** The lines of the publication of an hour: the latest head of each token. */
class HeadLines {
  readonly #rows: RowStream<PublishedRow>
  readonly #lines = new Map<number, string>()
  #tokenIds: number[] = []

  /** `rows` are ordered by hour. */
  constructor(rows: RowStream<PublishedRow>) {
    this.#rows = rows
  }

  get count(): number {
    return this.#lines.size
  }

  async moveTo(hour: Date): Promise<void> {
    for (let row = await this.#rows.peek(); row !== undefined && row.hour <= hour; row = await this.#rows.peek()) {
      this.#lines.set(row.token_id, headLine({ tokenId: row.token_id, seq: row.seq, hash: row.hash }))
      await this.#rows.take()
    }
    if (this.#tokenIds.length < this.#lines.size) this.#tokenIds = [...this.#lines.keys()].sort((a, b) => a - b)
  }

  digest(hour: Date, previous: string | null): string {
    const digest = createHash('sha256').update(publicationStart({ hour: hour.toISOString(), previous }))
    for (const id of this.#tokenIds) digest.update(this.#lines.get(id) ?? '')
    return digest.digest('hex')
  }
}
