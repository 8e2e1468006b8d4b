import { type ReactNode, useState } from 'react'
import { getReason } from '../../../../lib/api/failure.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Confirmed<Args extends readonly unknown[], Result> {
  /** Runs the action. Rejects with its error, or with `CONFIRMATION_NEEDED` if the player cancels the confirmation. */
  readonly run: (...args: Args) => Promise<Result>
  /** The confirmation dialog while it is open; render it anywhere. */
  readonly dialog: ReactNode
}

interface Question {
  readonly confirm: () => void
  readonly decline: () => void
}

/**
 * Wraps an action for which the server may require a fresh confirmation: if so, asks in a dialog and runs the action
 * again. With a mutation: `useMutation({ mutationFn: (input: Input) => confirmed.run(input) })`.
 */
export function useConfirmed<Args extends readonly unknown[], Result>(
  action: (...args: Args) => Promise<Result>,
): Confirmed<Args, Result> {
  const [question, setQuestion] = useState<Question | null>(null)
  const ask = () =>
    new Promise<boolean>((resolve) => setQuestion({ confirm: () => resolve(true), decline: () => resolve(false) }))
  const run = async (...args: Args): Promise<Result> => {
    try {
      return await action(...args)
    } catch (error) {
      if (getReason(error) !== 'CONFIRMATION_NEEDED') throw error
      const isConfirmed = await ask()
      setQuestion(null)
      if (!isConfirmed) throw error
      return await action(...args)
    }
  }
  const dialog = question && <ConfirmDialog onConfirmed={question.confirm} onClose={question.decline} />
  return { run, dialog }
}
