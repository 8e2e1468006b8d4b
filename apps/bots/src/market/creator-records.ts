import type { Token } from './types.ts'

const DAY_MS = 86_400_000

interface CreatorRecord {
  readonly launchedMs: number[]
  readonly ruggedMs: number[]
}

/** Counts what creators did before the first event, from tokens in the order of their launches. */
export class CreatorRecords {
  readonly #records = new Map<number, CreatorRecord>()

  add({ creator, createdAt, ruggedAt }: Token): void {
    const record = this.#records.get(creator.id) ?? { launchedMs: [], ruggedMs: [] }
    this.#records.set(creator.id, record)
    record.launchedMs.push(Date.parse(createdAt))
    if (ruggedAt !== null) record.ruggedMs.push(Date.parse(ruggedAt))
  }

  /** The creator's rugs before the token, and launches in the day up to it, both of those that were added. */
  count({ creator, createdAt }: Token): { readonly rugs: number; readonly launches: number } {
    const { launchedMs, ruggedMs } = this.#records.get(creator.id) ?? { launchedMs: [], ruggedMs: [] }
    const atMs = Date.parse(createdAt)
    return {
      rugs: ruggedMs.filter((ms) => ms < atMs).length,
      launches: Math.max(1, launchedMs.filter((ms) => ms <= atMs && ms > atMs - DAY_MS).length),
    }
  }

  clear(): void {
    this.#records.clear()
  }
}
