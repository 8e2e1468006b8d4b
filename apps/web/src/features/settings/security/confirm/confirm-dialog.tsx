import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { client, type Inputs, trpc } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { canUsePasskeys, PasskeyDialogError, signWithPasskey } from '../../../../lib/api/passkeys.ts'
import { CodeProof } from './code-proof.tsx'
import classes from './confirm-dialog.module.css'
import { PasswordProof } from './password-proof.tsx'

type Proof = Inputs['security']['confirm']

interface ConfirmDialogProps {
  readonly onConfirmed: () => void
  readonly onClose: () => void
}

/** Asks the player to confirm their identity by password or a second factor. */
export function ConfirmDialog({ onConfirmed, onClose }: ConfirmDialogProps) {
  const [way, setWay] = useState<'password' | 'code'>('password')
  const [refusals, setRefusals] = useState(0)
  const { hasApp, hasPasskey } = useOtherWays()
  const confirm = useMutation({
    mutationFn: async (proof: Proof | 'passkey') =>
      client.security.confirm.mutate(proof === 'passkey' ? { passkey: await askForPasskey() } : proof),
    onSuccess: onConfirmed,
    onError: () => setRefusals((count) => count + 1),
  })
  const isBusy = confirm.isPending
  const problem = confirm.isError ? toSentence(confirm.error) : null
  const isPasskeyProblem = confirm.variables === 'passkey'
  const fieldProblem = isPasskeyProblem ? null : problem
  return (
    <Dialog title="Is it still you?" isBusy={isBusy} onClose={onClose}>
      <p className={classes.text}>
        This could harm you if somebody else did it. Show that it is you; for ten minutes you are not asked again.
      </p>
      {way === 'password' ? (
        <PasswordProof isBusy={isBusy} problem={fieldProblem} onPassword={(password) => confirm.mutate({ password })} />
      ) : (
        // A refused code cannot be used again: remount the field, empty and focused.
        <CodeProof key={refusals} isBusy={isBusy} problem={fieldProblem} onCode={(totp) => confirm.mutate({ totp })} />
      )}
      {(hasApp || hasPasskey) && (
        <div className={classes.ways}>
          {hasPasskey && (
            <Button look="quiet" wide disabled={isBusy} onClick={() => confirm.mutate('passkey')}>
              Use a Passkey
            </Button>
          )}
          {hasApp && (
            <Button
              look="quiet"
              wide
              disabled={isBusy}
              onClick={() => {
                confirm.reset()
                setWay(way === 'password' ? 'code' : 'password')
              }}
            >
              {way === 'password' ? 'Use the Authenticator App' : 'Use the Password'}
            </Button>
          )}
          {isPasskeyProblem && problem !== null && (
            <p className={classes.problem} role="alert">
              {problem}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Which second factors the player could use here. */
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

function toSentence(error: unknown): string {
  if (error instanceof PasskeyDialogError) return error.message
  return getSentence(error) ?? 'The server did not answer. Try again.'
}
