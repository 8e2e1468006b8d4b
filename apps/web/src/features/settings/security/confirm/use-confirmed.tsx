import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { getReason, needsFactor } from '../../../../lib/api/failure.ts'
import { lazyPart } from '../../../../lib/boot/lazy-import.ts'

const ConfirmDialog = lazyPart(() => import('../../../../components/form/confirm-dialog.tsx'), 'ConfirmDialog')

interface ConfirmedMutation<Input, Result>
  extends Pick<UseMutationOptions<Result, Error, Input>, 'onError' | 'onSettled'> {
  /** Title of the toast after a failure. There is no toast if the server's reason is `except`. */
  readonly failure: string
  readonly except?: string
  readonly onSuccess?: (result: Result, input: Input) => unknown
}

/**
 * Creates a mutation that may require the player to confirm their identity. If so, a dialog asks the player first. If
 * the player cancels, the mutation fails with `CONFIRMATION_NEEDED`. The caller must render the returned `dialog`.
 */
export function useConfirmedMutation<Result, Input = void>(
  action: (input: Input) => Promise<Result>,
  { failure, except = '', ...options }: ConfirmedMutation<Input, Result>,
) {
  const [answer, setAnswer] = useState<{ byFactor: boolean; give: (isConfirmed: boolean) => void } | null>(null)
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      try {
        return await action(input)
      } catch (error) {
        if (getReason(error) !== 'CONFIRMATION_NEEDED') throw error
        const byFactor = needsFactor(error)
        const isConfirmed = await new Promise<boolean>((give) => setAnswer({ byFactor, give }))
        setAnswer(null)
        if (!isConfirmed) throw error
        return await action(input)
      }
    },
    meta: { failure, except },
    ...options,
  })
  const dialog = answer && (
    <ConfirmDialog
      byFactor={answer.byFactor}
      onConfirmed={() => answer.give(true)}
      onClose={() => answer.give(false)}
    />
  )
  return { ...mutation, dialog }
}
