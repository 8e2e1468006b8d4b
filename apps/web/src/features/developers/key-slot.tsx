import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { copyText } from '../../lib/ui/copy-text.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import classes from './key-slot.module.css'

export interface MadeKey {
  readonly name: string
  readonly key: string
}

interface KeySlotProps {
  readonly made: MadeKey | null
  /** Makes a key. */
  readonly form: ReactNode
  readonly onForget: () => void
}

/** Where a player makes the key that the guide's code is filled in with. Guests are led to the registration and back. */
export function KeySlot({ made, form, onForget }: KeySlotProps) {
  const user = useCurrentUser()
  if (user === null) return <GuestNote />
  if (made !== null) return <FilledIn made={made} onForget={onForget} />
  return (
    <section className={classes.box} aria-label="Make a key here">
      <p className={classes.note}>
        Made here, it is filled into all code of this page until you leave it. You may have ten keys at a time.
      </p>
      {form}
    </section>
  )
}

function GuestNote() {
  const back = { authTab: 'register', returnTo: '/developers' } as const
  return (
    <section className={classes.box} aria-label="Make a key here">
      <p className={classes.note}>
        A key belongs to a player. Register, it takes half a minute and no e-mail has to arrive, and you come back here
        with 100 SOL to make one.
      </p>
      <div className={classes.actions}>
        <ButtonLink to="/auth" state={back}>
          Register and come back
        </ButtonLink>
        <ButtonLink to="/auth" state={{ ...back, authTab: 'login' }} look="quiet">
          I have an account
        </ButtonLink>
      </div>
    </section>
  )
}

function FilledIn({ made: { name, key }, onForget }: { made: MadeKey; onForget: () => void }) {
  // The form that had the focus is gone.
  const stub = useRef<HTMLElement>(null)
  useEffect(() => stub.current?.focus(), [])
  return (
    <section ref={stub} className={classes.stub} tabIndex={-1} aria-label={`The new key ${name}`}>
      <p className={classes.stubTitle}>{name}</p>
      <code className={classes.secret}>{key}</code>
      <p className={classes.note}>
        It is in all code below until you leave this page. Copy it now: it is shown this once. You can revoke it in the{' '}
        <Link to="/settings">settings</Link>.
      </p>
      <div className={classes.actions}>
        <Button onClick={() => void copyKey(key)}>Copy key</Button>
        <Button look="quiet" onClick={onForget}>
          Take it out of the code
        </Button>
      </div>
    </section>
  )
}

async function copyKey(key: string): Promise<void> {
  if (await copyText(key)) showToast({ title: 'Copied!', message: 'API key copied to clipboard' })
  else showToast({ title: 'Not copied', message: 'Please select the key and copy it.', kind: 'destructive' })
}
