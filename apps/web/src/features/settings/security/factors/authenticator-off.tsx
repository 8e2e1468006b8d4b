import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { client } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { showFailure } from '../../../../lib/ui/toasts.ts'
import { useConfirmed } from '../confirm/use-confirmed.tsx'
import { AuthenticatorSetup } from './authenticator-setup.tsx'
import classes from './factors.module.css'

/** Offers an authenticator app to a player without one. */
export function AuthenticatorOff({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [isBack, setBack] = useState(false)
  const confirmed = useConfirmed(client.secondFactor.begin.mutate)
  const begin = useMutation({
    mutationFn: () => confirmed.run(),
    onError: (error) => showFailure('Setup Refused', getSentence(error), 'Failed to begin the setup'),
  })
  if (begin.data !== undefined) {
    const cancel = () => {
      setBack(true)
      begin.reset()
    }
    return <AuthenticatorSetup setup={begin.data} onCodes={onCodes} onCancel={cancel} />
  }
  return (
    <>
      <p className={classes.text}>
        Have an app on your phone show a code of six digits that a login asks for beside the password. Then whoever
        learns your password, or reads your mail, still does not come in.
      </p>
      <div className={classes.actions}>
        <Button autoFocus={isBack} disabled={begin.isPending} onClick={() => begin.mutate()}>
          {begin.isPending ? 'Preparing...' : 'Set Up'}
        </Button>
      </div>
      {confirmed.dialog}
    </>
  )
}
