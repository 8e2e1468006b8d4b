import { useEffect, useRef } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { copyText } from '../../../lib/ui/copy-text.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import classes from './api-keys.module.css'

interface FreshKeyProps {
  readonly name: string
  /** The key itself; the server stores only its hash. */
  readonly secret: string
  readonly onDone: () => void
}

/** A newly created key. It cannot be shown again. */
export function FreshKey({ name, secret, onDone }: FreshKeyProps) {
  // Focus the key: the form that had the focus was removed.
  const stub = useRef<HTMLElement>(null)
  useEffect(() => stub.current?.focus(), [])
  return (
    <section ref={stub} className={classes.stub} tabIndex={-1} aria-label={`The new key ${name}`}>
      <p className={classes.stubTitle}>{name}</p>
      <code className={classes.secret}>{secret}</code>
      <p className={classes.stubText}>Copy it now and keep it safe: it is shown this once.</p>
      <div className={classes.stubActions}>
        <Button onClick={() => void copyKey(secret)}>Copy</Button>
        <Button look="quiet" onClick={onDone}>
          Done
        </Button>
      </div>
    </section>
  )
}

async function copyKey(secret: string): Promise<void> {
  if (await copyText(secret)) showToast({ title: 'Copied!', message: 'API key copied to clipboard' })
  else showToast({ title: 'Not copied', message: 'Please select the key and copy it.', kind: 'destructive' })
}
