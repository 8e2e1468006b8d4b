import { useState } from 'react'
import { Skeleton } from '../../../../components/feedback/skeleton.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { CodeField } from '../../../../components/form/code-field.tsx'
import { useConfirmedMutation } from '../../../../components/form/confirmation.tsx'
import { Form } from '../../../../components/form/form.tsx'
import { client } from '../../../../lib/api/api.ts'
import { getReason, getSentence } from '../../../../lib/api/failure.ts'
import { lazyPart } from '../../../../lib/boot/lazy-import.ts'
import classes from './factors.module.css'

const QrCode = lazyPart(
  () => import('../../../../components/form/qr-code.tsx'),
  'QrCode',
  <Skeleton width={188} height={188} />,
)

const FAILURE = 'Could not turn on the authenticator app'

interface AuthenticatorSetupProps {
  readonly setup: { readonly secret: string; readonly uri: string }
  readonly onCodes: (codes: readonly string[]) => void
  readonly onCancel: () => void
}

export function AuthenticatorSetup({ setup: { secret, uri }, onCodes, onCancel }: AuthenticatorSetupProps) {
  const [refusals, setRefusals] = useState(0)
  const enable = useConfirmedMutation((code: string) => client.secondFactor.enable.mutate({ code }), {
    failure: FAILURE,
    except: 'WRONG_CODE',
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError: (error) => {
      if (getReason(error) === 'WRONG_CODE') setRefusals((count) => count + 1)
      if (getReason(error) === 'SETUP_EXPIRED') onCancel()
    },
  })
  return (
    <div className={`top grid gap-xl cols-fit-wide no-outline ${classes.steps}`}>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <Form<'code'> className="stack gap-m fit" isBusy={enable.isPending} onSend={({ code }) => enable.mutate(code)}>
        <p className="pretty">
          Scan this code with an authenticator app, or type this key into it. Then enter the code that the app shows.
        </p>
        <code className="p-s-m round-s on-raised text-m breaks block selectable">
          {secret.replace(/.{4}(?=.)/g, '$& ')}
        </code>
        <a href={uri} className={`inline-row touch accent semibold ${classes.handover}`}>
          Open an authenticator app on this device
        </a>
        <CodeField
          key={refusals}
          kind="totp"
          problem={getReason(enable.error) === 'WRONG_CODE' ? getSentence(enable.error) : null}
        />
        <div className="acts">
          <Button type="submit" disabled={enable.isPending}>
            {enable.isPending ? 'Turning on...' : 'Turn on'}
          </Button>
          <Button look="quiet" disabled={enable.isPending} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </Form>
    </div>
  )
}
