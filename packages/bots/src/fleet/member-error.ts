/** A bot's strategy threw `cause`. The fleet did not change. */
export class MemberError extends Error {
  readonly userId: number

  constructor(userId: number, cause: unknown) {
    super('A strategy failed.', { cause })
    this.userId = userId
  }
}
