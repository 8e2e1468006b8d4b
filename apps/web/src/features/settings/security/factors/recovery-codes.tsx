import { useEffect, useRef } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { copyText } from '../../../../lib/ui/copy-text.ts'
import { saveText } from '../../../../lib/ui/save-text.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import classes from './factors.module.css'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

/** Newly created recovery codes. They cannot be shown again. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  // Focus the codes: the focused element was removed.
  const stub = useRef<HTMLElement>(null)
  useEffect(() => stub.current?.focus(), [])
  const text = codes.join('\n')
  return (
    <section ref={stub} className={classes.stub} tabIndex={-1} aria-label="Your recovery codes">
      <p className={classes.stubTitle}>Keep these recovery codes</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={classes.stubText}>
        Each stands in for your app once, should you lose your phone. They are shown this once, and older ones are good
        no more. A password reset does not replace them.
      </p>
      <div className={classes.actions}>
        <Button onClick={() => void copyCodes(text)}>Copy</Button>
        <Button look="quiet" onClick={() => saveText('papermoon-recovery-codes.txt', `${text}\n`)}>
          Download
        </Button>
        <Button look="quiet" onClick={onDone}>
          I Have Kept Them
        </Button>
      </div>
    </section>
  )
}

async function copyCodes(text: string): Promise<void> {
  if (await copyText(text)) showToast({ title: 'Copied!', message: 'Recovery codes copied to clipboard' })
  else showToast({ title: 'Not copied', message: 'Please select the codes and copy them.', kind: 'destructive' })
}
