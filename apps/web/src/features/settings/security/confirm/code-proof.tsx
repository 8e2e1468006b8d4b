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

/** Asks for an authenticator code. */
export function CodeProof({ isBusy, problem, onCode }: CodeProofProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Do not submit an enclosing form as well: React events bubble through portals.
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
