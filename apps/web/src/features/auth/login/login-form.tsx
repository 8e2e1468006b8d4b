import { useState } from 'react'
import { trpc } from '../../../lib/api/api.ts'
import { getReason, getSentence } from '../../../lib/api/failure.ts'
import { showFailure } from '../../../lib/ui/toasts.ts'
import { CodeStep } from './code-step.tsx'
import { enter } from './enter.ts'
import { PasswordStep } from './password-step.tsx'

/** `back`: returned from the code to the password. */
type Step = 'password' | 'code' | 'back'

/** Signs in by e-mail and password, plus a code if the account has a second factor, or by a passkey. */
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
      else showFailure('Login failed', getSentence(error), 'Invalid credentials')
    },
  })
  const isBusy = login.isPending || login.isSuccess
  if (step === 'code') {
    return (
      <CodeStep
        isBusy={isBusy}
        refusals={refusals}
        problem={getReason(login.error) === 'SECOND_FACTOR_INVALID' ? getSentence(login.error) : null}
        onCode={(totp) => isBusy || login.mutate({ ...given, totp })}
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
      onPassword={(typed) => {
        if (isBusy) return
        setGiven(typed)
        login.mutate(typed)
      }}
    />
  )
}

function toWelcome(recoveryCodesLeft: number | undefined) {
  if (recoveryCodesLeft === undefined) return { title: 'Welcome back!', message: "You've successfully logged in." }
  const left = recoveryCodesLeft === 1 ? '1 recovery code' : `${recoveryCodesLeft} recovery codes`
  return { title: 'Welcome back!', message: `You have ${left} left. The settings make you new ones.` }
}
