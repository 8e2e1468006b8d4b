import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, type Inputs, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { canUsePasskeys, signWithPasskey } from '../../lib/api/passkeys.ts'
import { Dialog } from '../layout/dialog.tsx'
import { Button } from './button.tsx'
import { CodeField } from './code-field.tsx'
import { Form } from './form.tsx'
import { PasswordField } from './password-field.tsx'

type Proof = Inputs['security']['confirm']

interface ConfirmDialogProps {
  /** Whether a second factor is required because the password is not enough. */
  readonly byFactor: boolean
  readonly onConfirmed: () => void
  readonly onClose: () => void
}

export function ConfirmDialog({ byFactor, onConfirmed, onClose }: ConfirmDialogProps) {
  const [way, setWay] = useState<'password' | 'code'>(byFactor ? 'code' : 'password')
  const [refusals, setRefusals] = useState(0)
  const { hasApp, hasPasskey } = useOtherWays()
  const user = useCurrentUser()
  const confirm = useMutation({
    mutationFn: async (proof: Proof | 'passkey') =>
      client.security.confirm.mutate(proof === 'passkey' ? { passkey: await askForPasskey() } : proof),
    onSuccess: onConfirmed,
    onError: () => setRefusals((count) => count + 1),
  })
  const isBusy = confirm.isPending
  const problem = confirm.isError ? (getSentence(confirm.error) ?? NO_RESPONSE) : null
  const isPasskeyProblem = confirm.variables === 'passkey'
  const fieldProblem = isPasskeyProblem ? null : problem
  return (
    <Dialog title="Confirm that it is you" isBusy={isBusy} onClose={onClose}>
      <p className="mb-l dim pretty">{byFactor ? FACTOR_EXPLANATION : EXPLANATION}</p>
      {(!byFactor || hasApp) && (
        <Form<'password' | 'code'>
          className="stack gap-l"
          isBusy={isBusy}
          onSend={({ password, code }) => confirm.mutate(way === 'password' ? { password } : { totp: code })}
        >
          {way === 'password' ? (
            <>
              {/* Tells password managers which account the password belongs to. */}
              <input type="email" name="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
              <PasswordField
                label="Your password"
                name="password"
                autoComplete="current-password"
                data-autofocus
                required
                error={fieldProblem}
              />
            </>
          ) : (
            // A rejected code cannot be used again, so mount the field again, empty and focused.
            <CodeField key={refusals} kind="totp" problem={fieldProblem} />
          )}
          <Button type="submit" wide tall disabled={isBusy}>
            {isBusy ? 'Confirming...' : 'Confirm'}
          </Button>
        </Form>
      )}
      {(hasApp || hasPasskey) && (
        <div className="stack gap-s mt-m">
          {hasPasskey && (
            <Button look="quiet" wide disabled={isBusy} onClick={() => confirm.mutate('passkey')}>
              Use a passkey
            </Button>
          )}
          {hasApp && !byFactor && (
            <Button
              look="quiet"
              wide
              disabled={isBusy}
              onClick={() => {
                confirm.reset()
                setWay(way === 'password' ? 'code' : 'password')
              }}
            >
              {way === 'password' ? 'Use the authenticator app' : 'Use your password'}
            </Button>
          )}
          {isPasskeyProblem && problem !== null && (
            <p className="problem" role="alert">
              {problem}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}

const EXPLANATION = 'Please confirm that it is you before you continue. We won’t ask again for ten minutes.'
const FACTOR_EXPLANATION =
  'This needs more than your password. Confirm with your authenticator app or a passkey. We won’t ask again for ten minutes. If you have lost the app, log out and log in with a recovery code. If you have lost every second factor, contact this site’s operator.'

/** Returns the second factors that the player can use here. */
function useOtherWays(): { hasApp: boolean; hasPasskey: boolean } {
  const status = trpc.secondFactor.status.useQuery()
  const list = trpc.passkeys.list.useQuery()
  const isHere = list.data?.origin === location.origin && canUsePasskeys()
  return {
    hasApp: status.data?.isOn ?? false,
    hasPasskey: isHere && (list.data?.passkeys.some(({ domain }) => domain === location.hostname) ?? false),
  }
}

async function askForPasskey() {
  return await signWithPasskey(await client.security.beginPasskeyConfirm.mutate())
}
