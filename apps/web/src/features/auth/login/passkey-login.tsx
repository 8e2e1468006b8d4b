import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../components/form/button.tsx'
import { client } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { PasskeyDialogError, signWithPasskey } from '../../../lib/api/passkeys.ts'
import { showFailure } from '../../../lib/ui/toasts.ts'
import { enter } from './enter.ts'

/** Signs in with a passkey; the browser asks which. */
export function PasskeyLogin({ isBusy }: { isBusy: boolean }) {
  const login = useMutation({
    mutationFn: async () => {
      const options = await client.auth.beginPasskeyLogin.mutate()
      await client.auth.loginWithPasskey.mutate({ credential: await signWithPasskey(options) })
    },
    onSuccess: () => enter({ title: 'Welcome back!', message: "You've successfully logged in." }),
    onError: (error) => {
      const sentence = error instanceof PasskeyDialogError ? error.message : getSentence(error)
      showFailure('Login failed', sentence, 'The passkey was not accepted')
    },
  })
  const isOpen = login.isPending || login.isSuccess
  return (
    <Button look="quiet" wide tall disabled={isBusy || isOpen} onClick={() => login.mutate()}>
      {isOpen ? 'Waiting for your passkey...' : 'Login with a Passkey'}
    </Button>
  )
}
