import type { CredentialId } from './credentials.ts'

/** So long an ending on another node may go unnoticed here. */
const REMEMBER_MS = 3_000
const REMEMBERED_MAX = 10_000

interface Remembered<Owner> {
  readonly owner: Owner
  readonly untilMs: number
}

/** Whose a credential is, remembered for seconds; and who wants to hear when one ends. */
export class CredentialMemory<Owner> {
  readonly #remembered = new Map<CredentialId, Remembered<Owner>>()
  readonly #listeners = new Set<(id: CredentialId) => void>()
  #endings = 0

  get(id: CredentialId, now: Date): Owner | undefined {
    const remembered = this.#remembered.get(id)
    return remembered !== undefined && remembered.untilMs > now.getTime() ? remembered.owner : undefined
  }

  /** Counts endings, so that a read under way while one ends is not remembered. */
  get endings(): number {
    return this.#endings
  }

  /** Remembers what was read since `endings` were counted. */
  remember(id: CredentialId, owner: Owner, { now, endings }: { now: Date; endings: number }): void {
    if (endings !== this.#endings) return
    this.#remembered.delete(id)
    this.#remembered.set(id, { owner, untilMs: now.getTime() + REMEMBER_MS })
    if (this.#remembered.size <= REMEMBERED_MAX) return
    const oldest = this.#remembered.keys().next()
    if (!oldest.done) this.#remembered.delete(oldest.value)
  }

  forget(id: CredentialId): void {
    this.#remembered.delete(id)
  }

  end(id: CredentialId): void {
    this.#endings++
    this.#remembered.delete(id)
    for (const listener of this.#listeners) listener(id)
  }

  onEnd(listener: (id: CredentialId) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
