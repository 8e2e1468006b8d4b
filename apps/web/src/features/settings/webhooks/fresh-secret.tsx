import { useEffect, useRef } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { copyText } from '../../../lib/ui/copy-text.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import classes from '../api-keys/api-keys.module.css'

interface FreshSecretProps {
  readonly title: string
  readonly secret: string
  readonly note: string
  readonly onDone: () => void
}

/** The secret of a webhook. It cannot be shown again. */
export function FreshSecret({ title, secret, note, onDone }: FreshSecretProps) {
  // Focus the secret: the form or button that had the focus may be gone.
  const stub = useRef<HTMLElement>(null)
  useEffect(() => stub.current?.focus(), [])
  return (
    <section ref={stub} className={classes.stub} tabIndex={-1} aria-label={title}>
      <p className={classes.stubTitle}>{title}</p>
      <code className={classes.secret}>{secret}</code>
      <p className={classes.stubText}>{note}</p>
      <div className={classes.stubActions}>
        <Button onClick={() => void copySecret(secret)}>Copy</Button>
        <Button look="quiet" onClick={onDone}>
          Done
        </Button>
      </div>
    </section>
  )
}

async function copySecret(secret: string): Promise<void> {
  if (await copyText(secret)) showToast({ title: 'Copied!', message: 'Secret copied to clipboard' })
  else showToast({ title: 'Not copied', message: 'Please select the secret and copy it.', kind: 'destructive' })
}
