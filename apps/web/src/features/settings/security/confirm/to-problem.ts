import { getReason, getSentence } from '../../../../lib/api/failure.ts'

/** Why a change failed, and the field to show it at. */
export interface Problem {
  readonly ofPassword: string | null
  readonly ofOthers: string | null
}

/** Converts a failed change's error for its form; null without an error. */
export function toProblem(error: unknown): Problem | null {
  if (error === null) return null
  const sentence = getSentence(error) ?? 'The server did not answer. Try again.'
  return getReason(error) === 'WRONG_PASSWORD'
    ? { ofPassword: sentence, ofOthers: null }
    : { ofPassword: null, ofOthers: sentence }
}
