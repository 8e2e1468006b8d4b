import { type FormEvent, useState } from 'react'
import { CodeField } from '../../../components/form/code-field.tsx'
import form from '../../../components/form/form.module.css'
import { readFields } from '../../../lib/ui/form-fields.ts'
import { SubmitButton } from '../submit-button.tsx'
import classes from './login-form.module.css'

interface CodeStepProps {
  readonly isBusy: boolean
  /** Number of codes refused so far. */
  readonly refusals: number
  /** Why the server refused the last code. */
  readonly problem: string | null
  readonly onCode: (code: string) => void
  readonly onOtherKind: () => void
  readonly onBack: () => void
}

/** Asks for the second factor after a correct password. */
export function CodeStep({ isBusy, refusals, problem, onCode, onOtherKind, onBack }: CodeStepProps) {
  const [kind, setKind] = useState<'totp' | 'recovery'>('totp')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { code } = readFields(event.currentTarget, ['code'])
    onCode(code)
  }
  const swap = () => {
    setKind(kind === 'totp' ? 'recovery' : 'totp')
    onOtherKind()
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <p className={classes.lead}>Your password is right. This account asks for a second proof.</p>
      {/* A refused code cannot be used again: remount the field, empty and focused. */}
      <CodeField key={`${kind} ${refusals}`} kind={kind} problem={problem} />
      <SubmitButton label="Login" busyLabel="Logging in..." busy={isBusy} />
      <div className={classes.ways}>
        <button type="button" className={classes.way} onClick={swap}>
          {kind === 'totp' ? 'Use a recovery code' : 'Use the authenticator app'}
        </button>
        <button type="button" className={classes.way} onClick={onBack}>
          ← Back
        </button>
      </div>
    </form>
  )
}
