import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getReason, getSentence } from '../../../../lib/api/failure.ts'
import { showFailure } from '../../../../lib/ui/toasts.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Confirmed<Input, Result> {
  /** Runs the action. Rejects with its error, or with `CONFIRMATION_NEEDED` if the player cancels the confirmation. */
  readonly run: (input: Input) => Promise<Result>
  /** The confirmation dialog while it is open; render it anywhere. */
  readonly dialog: ReactNode
}

interface Question {
  readonly confirm: () => void
  readonly decline: () => void
}

/**
 * Wraps an action for which the server may require a fresh confirmation: if so, asks in a dialog and runs the action
 * again.
 */
export function useConfirmed<Result, Input = void>(
  action: (input: Input) => Promise<Result>,
): Confirmed<Input, Result> {
  const [question, setQuestion] = useState<Question | null>(null)
  const ask = () =>
    new Promise<boolean>((resolve) => setQuestion({ confirm: () => resolve(true), decline: () => resolve(false) }))
  const run = async (input: Input): Promise<Result> => {
    try {
      return await action(input)
    } catch (error) {
      if (getReason(error) !== 'CONFIRMATION_NEEDED') throw error
      const isConfirmed = await ask()
      setQuestion(null)
      if (!isConfirmed) throw error
      return await action(input)
    }
  }
  const dialog = question && <ConfirmDialog onConfirmed={question.confirm} onClose={question.decline} />
  return { run, dialog }
}

interface ConfirmedMutation<Input, Result> {
  /** Title of the toast for a failure, and its text where the server gave no reason. */
  readonly failure: readonly [title: string, fallback: string]
  readonly onSuccess?: (result: Result, input: Input) => unknown
  readonly onSettled?: () => unknown
}

/** A mutation for which the server may require a fresh confirmation. Render its `dialog` anywhere. */
export function useConfirmedMutation<Result, Input = void>(
  action: (input: Input) => Promise<Result>,
  { failure: [title, fallback], ...options }: ConfirmedMutation<Input, Result>,
) {
  const { run, dialog } = useConfirmed(action)
  const mutation = useMutation({
    mutationFn: (input: Input) => run(input),
    onError: (error) => showFailure(title, getSentence(error), fallback),
    ...options,
  })
  return { ...mutation, dialog }
}
