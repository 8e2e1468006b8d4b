import { useEffect, useRef, useState } from 'react'
import { Fetched } from '../../../../components/feedback/fetched.tsx'
import { Skeleton } from '../../../../components/feedback/skeleton.tsx'
import { ActionButton } from '../../../../components/form/action-button.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { SecretStub } from '../../../../components/form/secret-stub.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { cache, client, trpc } from '../../../../lib/api/api.ts'
import { counted } from '../../../../lib/format/counted.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import { AuthenticatorSetup } from './authenticator-setup.tsx'
import factors from './factors.module.css'

/** Number of remaining recovery codes at or below which the panel suggests new ones. */
const FEW = 3

export function AuthenticatorPanel() {
  const status = trpc.secondFactor.status.useQuery()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [isBack, setBack] = useState(false)
  // Focus the heading, because the element with the focus was removed.
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
    <Panel title="Authenticator app" heading={heading}>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={done} />
      ) : (
        <Fetched
          query={status}
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

function AuthenticatorOn({ status: { enabledAt, recoveryCodesLeft }, onCodes, onOff }: AuthenticatorOnProps) {
  const now = useNow()
  const onDisabled = async () => {
    showToast({ title: 'Authenticator app turned off', message: 'You now log in with your password alone.' })
    onOff()
    await cache.secondFactor.status.invalidate()
  }
  return (
    <>
      <p className="dim pretty">
        {enabledAt === null ? 'On.' : `Turned on ${relativeTime(enabledAt, now)}.`} Logging in requires a code from your
        app. {toWords(recoveryCodesLeft)}
      </p>
      {recoveryCodesLeft <= FEW && (
        <p className="set-apart">
          If you lose your phone and have no recovery code left, you cannot log in. Create new codes.
        </p>
      )}
      <div className="acts">
        <ActionButton
          label="Create new recovery codes"
          busy="Creating..."
          act={() => client.secondFactor.renewRecoveryCodes.mutate()}
          failure="Could not create new codes"
          onSuccess={({ recoveryCodes }) => onCodes(recoveryCodes)}
        />
        <ActionButton
          label="Turn off"
          busy="Turning off..."
          of="the authenticator app"
          isFinal
          act={() => client.secondFactor.disable.mutate()}
          failure="Could not turn off the authenticator app"
          onSuccess={onDisabled}
        />
      </div>
    </>
  )
}

function toWords(recoveryCodesLeft: number): string {
  if (recoveryCodesLeft === 0) return 'You have no recovery codes left.'
  return `You have ${counted(recoveryCodesLeft, 'recovery code')} left.`
}

function AuthenticatorOff({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [setup, setSetup] = useState<{ readonly secret: string; readonly uri: string } | null>()
  if (setup != null) return <AuthenticatorSetup setup={setup} onCodes={onCodes} onCancel={() => setSetup(null)} />
  return (
    <>
      <p className="dim pretty">
        An app on your phone shows a six-digit code that you enter after your password. A stolen password alone is then
        not enough to log in.
      </p>
      <div className="acts">
        <ActionButton
          look="moon"
          label="Set up the app"
          busy="Preparing..."
          // Focus the button after the player cancelled the setup.
          autoFocus={setup === null}
          act={() => client.secondFactor.begin.mutate()}
          failure="Could not start the setup"
          onSuccess={setSetup}
        />
      </div>
    </>
  )
}

/** Shows new recovery codes. The server does not show them again. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n')
  return (
    <SecretStub
      label="Your recovery codes"
      title="Save these recovery codes"
      note="Use a code if you lose your phone. Each code works once. We show the codes only now, and older codes stop working. A password reset does not replace these codes."
      text={text}
      copied={['Recovery codes copied to clipboard', 'Please select the codes and copy them.']}
      action={
        <Button look="quiet" onClick={() => saveText('papermoon-recovery-codes.txt', `${text}\n`)}>
          Download codes
        </Button>
      }
      doneLabel="I have saved the codes"
      onDone={onDone}
    >
      <ul className={`p-m round-s grid gap-wide text-m nowrap ${factors.codes}`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </SecretStub>
  )
}

function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Revoke the URL only after the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
