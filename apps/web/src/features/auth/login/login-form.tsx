import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { CodeField } from '../../../components/form/code-field.tsx'
import { Form } from '../../../components/form/form.tsx'
import { PasswordField } from '../../../components/form/password-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { client, trpc } from '../../../lib/api/api.ts'
import { getReason, getSentenceOf } from '../../../lib/api/failure.ts'
import { canUsePasskeys, signWithPasskey } from '../../../lib/api/passkeys.ts'
import { showFailure } from '../../../lib/ui/toasts.ts'
import { SubmitButton } from '../submit-button.tsx'
import { enter } from './enter.ts'
import classes from './login-form.module.css'

/** The step of the form. `back` means that the player returned from the code step. */
type Step = 'password' | 'code' | 'back'

/**
 * Logs the player in with email and password, plus a code if the account has a second factor. Players can also log in
 * with a passkey.
 */
export function LoginForm({ isFocused }: { isFocused: boolean }) {
  const [step, setStep] = useState<Step>('password')
  const [given, setGiven] = useState({ email: '', password: '' })
  const [refusals, setRefusals] = useState(0)
  const login = trpc.auth.login.useMutation({
    onSuccess: ({ recoveryCodesLeft }) => enter(toWelcome(recoveryCodesLeft)),
    onError: (error) => {
      const reason = getReason(error)
      if (reason === 'SECOND_FACTOR_NEEDED') setStep('code')
      else if (reason === 'SECOND_FACTOR_INVALID') setRefusals((count) => count + 1)
      else showFailure('Login failed', error, 'Invalid credentials')
    },
  })
  const isBusy = login.isPending || login.isSuccess
  if (step === 'code') {
    return (
      <CodeStep
        isBusy={isBusy}
        refusals={refusals}
        problem={getSentenceOf(login.error, 'SECOND_FACTOR_INVALID')}
        onCode={(totp) => login.mutate({ ...given, totp })}
        onOtherKind={login.reset}
        onBack={() => {
          login.reset()
          setStep('back')
        }}
      />
    )
  }
  return (
    <PasswordStep
      email={given.email}
      isFocused={isFocused}
      isBack={step === 'back'}
      isBusy={isBusy}
      isWrong={getReason(login.error) === 'INVALID_CREDENTIALS'}
      onPassword={(typed) => {
        setGiven(typed)
        login.mutate(typed)
      }}
    />
  )
}

function toWelcome(recoveryCodesLeft: number | undefined) {
  if (recoveryCodesLeft === undefined) return { title: 'Welcome back!', message: "You've successfully logged in." }
  const left = recoveryCodesLeft === 1 ? '1 recovery code' : `${recoveryCodesLeft} recovery codes`
  return { title: 'Welcome back!', message: `You have ${left} left. You can create new codes in Settings.` }
}

interface CodeStepProps {
  readonly isBusy: boolean
  /** Number of rejected codes so far. */
  readonly refusals: number
  /** Why the server rejected the last code, or null. */
  readonly problem: string | null
  readonly onCode: (code: string) => void
  readonly onOtherKind: () => void
  readonly onBack: () => void
}

function CodeStep({ isBusy, refusals, problem, onCode, onOtherKind, onBack }: CodeStepProps) {
  const [kind, setKind] = useState<'totp' | 'recovery'>('totp')
  const swap = () => {
    setKind(kind === 'totp' ? 'recovery' : 'totp')
    onOtherKind()
  }
  return (
    <Form<'code'> className="stack gap-l" isBusy={isBusy} onSend={({ code }) => onCode(code)}>
      <p className="dim pretty">Password accepted. Now enter your second factor.</p>
      {/* A rejected code cannot be used again, so mount the field again, empty and focused. */}
      <CodeField key={`${kind} ${refusals}`} kind={kind} problem={problem} />
      <SubmitButton label="Login" busyLabel="Logging in..." busy={isBusy} />
      <div className={`row stretch gap-wide wrap between ${classes.ways}`}>
        <button type="button" className="touch accent semibold underlined" onClick={swap}>
          {kind === 'totp' ? 'Use a recovery code' : 'Use the authenticator app'}
        </button>
        <button type="button" className="touch accent semibold underlined" onClick={onBack}>
          ← Back
        </button>
      </div>
    </Form>
  )
}

interface PasswordStepProps {
  readonly email: string
  /** Whether the form takes the focus when the screen opens. */
  readonly isFocused: boolean
  /** Whether the player returned from the code step. In this case, the form takes the focus again. */
  readonly isBack: boolean
  readonly isBusy: boolean
  /** Whether the server rejected the last email and password. */
  readonly isWrong: boolean
  readonly onPassword: (login: { email: string; password: string }) => void
}

function PasswordStep({ email, isFocused, isBack, isBusy, isWrong, onPassword }: PasswordStepProps) {
  return (
    <Form<'email' | 'password'> className="stack gap-l" isBusy={isBusy} onSend={onPassword}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        autoFocus={isFocused && !isBack}
        required
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        autoFocus={isBack}
        required
        error={isWrong && 'Wrong email or password'}
      />
      <Link to="/forgot-password" className={`touch accent semibold inline-row ${classes.forgot}`}>
        Forgot Password?
      </Link>
      <SubmitButton label="Login" busyLabel="Logging in..." busy={isBusy} />
      {canUsePasskeys() && <PasskeyLogin isBusy={isBusy} />}
    </Form>
  )
}

function PasskeyLogin({ isBusy }: { isBusy: boolean }) {
  const login = useMutation({
    mutationFn: async () => {
      const options = await client.auth.beginPasskeyLogin.mutate()
      await client.auth.loginWithPasskey.mutate({ credential: await signWithPasskey(options) })
    },
    onSuccess: () => enter({ title: 'Welcome back!', message: "You've successfully logged in." }),
    onError: (error) =>
      showFailure('Login failed', error, 'The passkey did not work. Try again, or use your password.'),
  })
  const isOpen = login.isPending || login.isSuccess
  return (
    <Button look="quiet" wide tall disabled={isBusy || isOpen} onClick={() => login.mutate()}>
      {isOpen ? 'Waiting for your passkey...' : 'Log in with a passkey'}
    </Button>
  )
}
