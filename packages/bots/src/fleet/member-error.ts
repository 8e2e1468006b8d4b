/** A strategy threw. The fleet is as before: the member did nothing, and the others go on. `cause` is what it threw. */
export class MemberError extends Error {
  readonly userId: number

  constructor(userId: number, cause: unknown) {
    super('A strategy failed.', { cause })
    this.userId = userId
  }
}
