import { getReason, getSentence } from '../../../../lib/api/failure.ts'

/** Why a change that asks for the password failed, by the field that it is about. */
export interface Problem {
  readonly ofPassword: string | null
  readonly ofOthers: string | null
}

/** The failure of a change as its form shows it; null where there is none. */
export function toProblem(error: unknown): Problem | null {
  if (error === null) return null
  const sentence = getSentence(error) ?? 'The server did not answer. Try again.'
  return getReason(error) === 'WRONG_PASSWORD'
    ? { ofPassword: sentence, ofOthers: null }
    : { ofPassword: null, ofOthers: sentence }
}
