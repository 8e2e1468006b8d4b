import { type FormEvent, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { CodeField } from '../../components/form/code-field.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { client, type Inputs } from '../../lib/api/api.ts'
import { getSentence } from '../../lib/api/failure.ts'
import { canUsePasskeys, signWithPasskey } from '../../lib/api/passkeys.ts'
import classes from './admin.module.css'

/** A code of the moderator's app or a passkey: a cookie alone does nothing here. */
export function FactorForm({ onProven }: { onProven: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const prove = async (getProof: () => Promise<Inputs['security']['confirm']>) => {
    try {
      await client.security.confirm.mutate(await getProof())
      onProven()
    } catch (error) {
      setProblem(getSentence(error) ?? 'The server didn’t respond. Please try again.')
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const totp = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    void prove(async () => ({ totp }))
  }
  const signPasskey = async () => ({
    passkey: await signWithPasskey(await client.security.beginPasskeyConfirm.mutate()),
  })
  return (
    <Panel title="Your second factor" className={classes.factor ?? ''}>
      <form onSubmit={submit}>
        <Themed>
          <CodeField kind="totp" problem={problem} />
        </Themed>
        <Button type="submit" wide>
          Continue
        </Button>
      </form>
      {canUsePasskeys() && (
        <Button look="quiet" wide onClick={() => void prove(signPasskey)}>
          Use a Passkey
        </Button>
      )}
    </Panel>
  )
}
