import { procedures } from '@papermoon/contract'
import { BOUNDS } from '@papermoon/contract/bounds'
import { BadInputError } from '../../errors.ts'

export const BATCH_MAX = BOUNDS.callsPerBatch

/** Throws `BadInputError` for a batch that is too large, or that contains a procedure marked `alone`. */
export function assertBatch(paths: readonly string[]): void {
  if (paths.length > BATCH_MAX) throw new BadInputError(`A batch can have at most ${BATCH_MAX} calls.`)
  if (paths.length > 1 && paths.some((path) => procedures.get(path)?.alone)) {
    throw new BadInputError('This call must be sent alone, not in a batch.')
  }
}
