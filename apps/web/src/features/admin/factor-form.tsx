import { type FormEvent, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { CodeField } from '../../components/form/code-field.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { client } from '../../lib/api/api.ts'
import { getSentence } from '../../lib/api/failure.ts'
import classes from './admin.module.css'

/** A code of the moderator's app: a cookie alone does nothing here. */
export function FactorForm({ onProven }: { onProven: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const prove = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const totp = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    try {
      await client.security.confirm.mutate({ totp })
      onProven()
    } catch (error) {
      setProblem(getSentence(error) ?? 'The server didn’t respond. Please try again.')
    }
  }
  return (
    <Panel title="Your second factor" className={classes.factor ?? ''}>
      <form onSubmit={(event) => void prove(event)}>
        <Themed>
          <CodeField kind="totp" problem={problem} />
        </Themed>
        <Button type="submit" wide>
          Continue
        </Button>
      </form>
    </Panel>
  )
}
