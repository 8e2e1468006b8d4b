import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../../components/form/button.tsx'
import { cache, client } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showFailure, showToast } from '../../../../lib/ui/toasts.ts'
import { AskOnce } from '../account/ask-once.tsx'
import { useConfirmed } from '../confirm/use-confirmed.tsx'
import classes from './factors.module.css'

/** With this many codes left or fewer, suggest new ones. */
const FEW = 3

interface AuthenticatorOnProps {
  readonly status: { readonly enabledAt: string | null; readonly recoveryCodesLeft: number }
  readonly onCodes: (codes: readonly string[]) => void
  readonly onOff: () => void
}

/** The state of the player's authenticator app, and a button that disables it. */
export function AuthenticatorOn({ status: { enabledAt, recoveryCodesLeft }, onCodes, onOff }: AuthenticatorOnProps) {
  const now = useNow()
  const renewal = useConfirmed(client.secondFactor.renewRecoveryCodes.mutate)
  const renew = useMutation({
    mutationFn: () => renewal.run(),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError: (error) => showFailure('Codes Refused', getSentence(error), 'Failed to make new codes'),
  })
  const end = useConfirmed(client.secondFactor.disable.mutate)
  const disable = useMutation({
    mutationFn: () => end.run(),
    onSuccess: async () => {
      showToast({ title: 'App Switched Off', message: 'Your password alone signs you in again.' })
      onOff()
      await cache.secondFactor.status.invalidate()
    },
    onError: (error) => showFailure('App Still On', getSentence(error), 'Failed to switch the app off'),
  })
  return (
    <>
      <p className={classes.text}>
        On{enabledAt !== null && ` since ${relativeTime(enabledAt, now)}`}: a login asks for a code of your app.{' '}
        {toWords(recoveryCodesLeft)}
      </p>
      {recoveryCodesLeft <= FEW && (
        <p className={classes.notice}>
          Without your phone and without a recovery code nobody gets into this account, you neither. Make new codes.
        </p>
      )}
      <div className={classes.actions}>
        <Button look="quiet" disabled={renew.isPending} onClick={() => renew.mutate()}>
          {renew.isPending ? 'Making...' : 'New Recovery Codes'}
        </Button>
        <AskOnce
          action="Switch Off"
          busy="Switching off..."
          of="the authenticator app"
          isBusy={disable.isPending}
          onSure={() => disable.mutate()}
        />
      </div>
      {renewal.dialog}
      {end.dialog}
    </>
  )
}

function toWords(recoveryCodesLeft: number): string {
  if (recoveryCodesLeft === 0) return 'You have no recovery code left.'
  return `You have ${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code' : 'codes'} left.`
}
