type Step = () => Promise<void>

/** What has to be undone, in the opposite order of its doing. */
export class Teardown {
  readonly #steps: Step[] = []
  #running: Promise<Error[]> | undefined

  /** A step that comes while all is being undone is undone too. */
  add(step: Step): void {
    this.#steps.push(step)
  }

  /** Undoes everything, whatever fails on the way; returns the failures. May be called twice. */
  run(): Promise<Error[]> {
    this.#running ??= this.#undo()
    return this.#running
  }

  async #undo(): Promise<Error[]> {
    const errors: Error[] = []
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step()
      } catch (error) {
        errors.push(error instanceof Error ? error : new Error(String(error)))
      }
    }
    return errors
  }
}
