import type { FormEvent } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { CodeField } from '../../../../components/form/code-field.tsx'
import form from '../../../../components/form/form.module.css'
import { readFields } from '../../../../lib/ui/form-fields.ts'

interface CodeProofProps {
  readonly isBusy: boolean
  readonly problem: string | null
  readonly onCode: (code: string) => void
}

/** Asks for a code of the player's authenticator app. */
export function CodeProof({ isBusy, problem, onCode }: CodeProofProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // What asks may itself be a form.
    event.stopPropagation()
    const { code } = readFields(event.currentTarget, ['code'])
    if (!isBusy) onCode(code)
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <CodeField kind="totp" problem={problem} />
      <Button type="submit" wide tall disabled={isBusy}>
        {isBusy ? 'Confirming...' : 'Confirm'}
      </Button>
    </form>
  )
}
