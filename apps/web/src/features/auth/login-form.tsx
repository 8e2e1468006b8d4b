import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../../components/button.tsx'
import form from '../../components/form.module.css'
import { PasswordField } from '../../components/password-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { trpc } from '../../lib/api.ts'
import { sentenceOf } from '../../lib/failure.ts'
import { fieldsOf } from '../../lib/fields-of.ts'
import { showFailure } from '../../lib/toasts.ts'
import { enter } from './enter.ts'
import classes from './login-form.module.css'

/** Signs a player in. */
export function LoginForm() {
  const login = trpc.auth.login.useMutation({
    onSuccess: () => enter({ title: 'Welcome back!', message: "You've successfully logged in." }),
    onError: (error) => showFailure('Login failed', sentenceOf(error), 'Invalid credentials'),
  })
  const busy = login.isPending || login.isSuccess
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, password } = fieldsOf(event.currentTarget, ['email', 'password'])
    if (!busy) login.mutate({ email, password })
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <TextField label="Email" name="email" type="email" autoComplete="email" required withAsterisk={false} />
      <PasswordField label="Password" name="password" autoComplete="current-password" required withAsterisk={false} />
      <Link to="/forgot-password" className={classes.forgot}>
        Forgot Password?
      </Link>
      <Button type="submit" wide tall disabled={busy}>
        {busy ? 'Logging in...' : 'Login'}
      </Button>
    </form>
  )
}
