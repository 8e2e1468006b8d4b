import { useEffect, useRef, useState } from 'react'
import { Skeleton } from '../../../../components/feedback/skeleton.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { SecretStub } from '../../../../components/form/secret-stub.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { cache, client, trpc } from '../../../../lib/api/api.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import classes from '../../settings.module.css'
import { AskOnce, Fetched } from '../../settings-parts.tsx'
import { useConfirmedMutation } from '../confirm/use-confirmed.tsx'
import { AuthenticatorSetup } from './authenticator-setup.tsx'
import factors from './factors.module.css'

/** With this many codes left or fewer, suggest new ones. */
const FEW = 3

/** The authenticator app (a second factor at login) and its recovery codes. */
export function AuthenticatorPanel() {
  const status = trpc.secondFactor.status.useQuery()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [isBack, setBack] = useState(false)
  // Focus the heading: the focused element was removed.
  useEffect(() => {
    if (isBack) heading.current?.focus()
  }, [isBack])
  const show = (made: readonly string[]) => {
    setBack(false)
    setCodes(made)
    void cache.secondFactor.status.invalidate()
  }
  const done = () => {
    setCodes(null)
    setBack(true)
  }
  return (
    <Panel title="Authenticator app" level={3} heading={heading}>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={done} />
      ) : (
        <Fetched
          query={status}
          level={4}
          failure="Could not load your second factor"
          skeleton={<Skeleton label="Loading" height={106} />}
        >
          {(known) =>
            known.isOn ? (
              <AuthenticatorOn status={known} onCodes={show} onOff={() => setBack(true)} />
            ) : (
              <AuthenticatorOff onCodes={show} />
            )
          }
        </Fetched>
      )}
    </Panel>
  )
}

interface AuthenticatorOnProps {
  readonly status: { readonly enabledAt: string | null; readonly recoveryCodesLeft: number }
  readonly onCodes: (codes: readonly string[]) => void
  readonly onOff: () => void
}

/** The state of the player's authenticator app, and a button that disables it. */
function AuthenticatorOn({ status: { enabledAt, recoveryCodesLeft }, onCodes, onOff }: AuthenticatorOnProps) {
  const now = useNow()
  const renew = useConfirmedMutation(() => client.secondFactor.renewRecoveryCodes.mutate(), {
    failure: ['Codes Refused', 'Failed to make new codes'],
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  const disable = useConfirmedMutation(() => client.secondFactor.disable.mutate(), {
    failure: ['App Still On', 'Failed to switch the app off'],
    onSuccess: async () => {
      showToast({ title: 'App Switched Off', message: 'Your password alone signs you in again.' })
      onOff()
      await cache.secondFactor.status.invalidate()
    },
  })
  return (
    <>
      <p className={classes.text}>
        On{enabledAt !== null && ` since ${relativeTime(enabledAt, now)}`}: a login asks for a code of your app.{' '}
        {toWords(recoveryCodesLeft)}
      </p>
      {recoveryCodesLeft <= FEW && (
        <p className="set-apart">
          Without your phone and without a recovery code nobody gets into this account, you neither. Make new codes.
        </p>
      )}
      <div className="acts">
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
      {renew.dialog}
      {disable.dialog}
    </>
  )
}

function toWords(recoveryCodesLeft: number): string {
  if (recoveryCodesLeft === 0) return 'You have no recovery code left.'
  return `You have ${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code' : 'codes'} left.`
}

/** Offers an authenticator app to a player without one. */
function AuthenticatorOff({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [isBack, setBack] = useState(false)
  const begin = useConfirmedMutation(() => client.secondFactor.begin.mutate(), {
    failure: ['Setup Refused', 'Failed to begin the setup'],
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
        Have an app on your phone show a code of six digits that a login asks for beside the password. Then a stolen
        password is not enough to get in.
      </p>
      <div className="acts">
        <Button autoFocus={isBack} disabled={begin.isPending} onClick={() => begin.mutate()}>
          {begin.isPending ? 'Preparing...' : 'Set Up'}
        </Button>
      </div>
      {begin.dialog}
    </>
  )
}

/** Newly created recovery codes. They cannot be shown again. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n')
  return (
    <SecretStub
      label="Your recovery codes"
      title="Keep these recovery codes"
      note="Use one if you lose your phone. Each works once. They are shown only now. Older codes stop working. A password reset does not replace them."
      text={text}
      copied={['Recovery codes', 'the codes and copy them']}
      actions={
        <>
          <Button look="quiet" onClick={() => saveText('papermoon-recovery-codes.txt', `${text}\n`)}>
            Download
          </Button>
          <Button look="quiet" onClick={onDone}>
            I Have Kept Them
          </Button>
        </>
      }
    >
      <ul className={factors.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </SecretStub>
  )
}

/** Downloads a text as a file. */
function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Keep the URL alive until the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
