import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getReason, needsFactor } from '../../lib/api/failure.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { createStore } from '../../lib/ui/stored.ts'

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog')

interface Question {
  readonly byFactor: boolean
  readonly give: (isConfirmed: boolean) => void
}

const asked = createStore<Question | null>(null)

export interface ConfirmedMutation<Input, Result>
  extends Pick<UseMutationOptions<Result, Error, Input>, 'onError' | 'onSettled'> {
  /** Title of the toast after a failure. No toast appears if the server's reason is `except`. */
  readonly failure?: string
  readonly except?: string
  readonly onSuccess?: (result: Result, input: Input) => unknown
}

/**
 * Creates a mutation that may require the player to confirm their identity. The page's `Confirmation` then asks the
 * player before the mutation is repeated. If the player cancels, the mutation fails with `CONFIRMATION_NEEDED`.
 */
export function useConfirmedMutation<Result, Input = void>(
  action: (input: Input) => Promise<Result>,
  { failure, except = '', ...options }: ConfirmedMutation<Input, Result>,
) {
  return useMutation({
    mutationFn: async (input: Input) => {
      try {
        return await action(input)
      } catch (error) {
        if (getReason(error) !== 'CONFIRMATION_NEEDED') throw error
        const byFactor = needsFactor(error)
        const isConfirmed = await new Promise<boolean>((give) => asked.set({ byFactor, give }))
        asked.set(null)
        if (!isConfirmed) throw error
        return await action(input)
      }
    },
    meta: { ...(failure !== undefined && { failure }), except },
    ...options,
  })
}

/** The confirmation dialog that all `useConfirmedMutation` hooks of a page share. */
export function Confirmation() {
  const question = asked.use()
  useEffect(() => () => asked.get()?.give(false), [])
  return (
    question && (
      <ConfirmDialog
        byFactor={question.byFactor}
        onConfirmed={() => question.give(true)}
        onClose={() => question.give(false)}
      />
    )
  )
}
